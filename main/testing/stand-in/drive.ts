import { app, asked, emitReady, powerMonitor, resetElectron } from './electron.ts';
import { openPage } from './open-page.ts';
import { replaceSignalHandlers } from './replace-signal-handlers.ts';

/** Requests of a test to the app that it started; each is answered with `{id, value}`. */
export type Wish =
  | { id: number; do: 'answer'; values: unknown[] }
  | { id: number; do: 'asked' }
  | { id: number; do: 'close-window' }
  | { id: number; do: 'quit' }
  | { id: number; do: 'click-tray'; label: string }
  | { id: number; do: 'click-notice'; title: string }
  | { id: number; do: 'second-instance'; args: string[] }
  | { id: number; do: 'render-process-gone' }
  | { id: number; do: 'shutdown' };

/** Lets the test that started this process act as the person and the system. */
export function drive(): void {
  resetElectron();
  asked.openPage = openPage;
  app.on('-exit', (code: number) => {
    void (asked.close?.() ?? Promise.resolve()).finally(() => process.exit(code));
  });
  process.on('message', (wish: Wish) => {
    const value = carryOut(wish);
    process.send?.({ id: wish.id, value });
  });
  // As in Electron, ready comes shortly after the entry has finished, which never happens without a
  // window.
  app.once('-awaited', () => {
    setImmediate(() =>
      setImmediate(() => {
        replaceSignalHandlers();
        emitReady();
      }),
    );
  });
}

function carryOut(wish: Wish): unknown {
  const [window] = asked.windows;
  switch (wish.do) {
    case 'answer':
      return void asked.answers.push(...wish.values);
    case 'asked':
      return whatWasAsked();
    case 'close-window':
      return window?.close();
    case 'quit':
      return app.quit();
    case 'click-tray':
      return clickTray(wish.label);
    case 'click-notice':
      return asked.notices.find(({ options }) => options.title === wish.title)?.emit('click');
    case 'second-instance':
    case 'shutdown':
    case 'render-process-gone':
      return systemDoes(wish);
  }
}

type SystemWish = Extract<Wish, { do: 'second-instance' | 'shutdown' | 'render-process-gone' }>;

function systemDoes(wish: SystemWish): unknown {
  const [window] = asked.windows;
  const gone = { reason: 'crashed', exitCode: 5 };
  switch (wish.do) {
    case 'second-instance':
      return app.emit('second-instance', {}, ['electron', ...wish.args], process.cwd());
    case 'shutdown':
      return powerMonitor.emit('shutdown', { preventDefault: () => undefined });
    case 'render-process-gone':
      return window?.webContents.emit('render-process-gone', {}, gone);
  }
}

function clickTray(label: string): void {
  const item = asked.trays[0]?.menu.find((one) => one.label === label);
  (item?.click as (() => void) | undefined)?.();
}

const whatWasAsked = () => ({
  dialogs: asked.dialogs,
  opened: asked.opened,
  notices: asked.notices.map(({ options }) => options),
  trays: asked.trays.map(({ menu }) => menu.map(({ label }) => label ?? '')),
  windows: asked.windows.map(({ loaded, state }) => ({ loaded, ...state })),
  exits: asked.exits,
});
