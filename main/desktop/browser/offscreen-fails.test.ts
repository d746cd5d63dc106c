import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DrivenEngine } from '../../../service/app/index.ts';
import { type OpenBrowser, openBrowser } from '../../../service/testing/browser/open-browser.ts';
import { asked, emitReady, resetElectron } from '../../testing/stand-in/electron.ts';
import { ModelBrowser } from './model-browser.ts';

vi.mock('electron', () => import('../../testing/stand-in/electron.ts'));

const url = 'http://127.0.0.1:9/';
let engine: DrivenEngine;
let browser: OpenBrowser;

const start = (connect: ConstructorParameters<typeof DrivenEngine>[0]): void => {
  engine = new DrivenEngine(connect);
  browser = openBrowser({ engine, allow: ['127.0.0.1:9'] });
};
const electrons = (): void => start((send) => new ModelBrowser(send));

beforeEach(resetElectron);
afterEach(async () => {
  asked.openPage = null;
  await browser.close();
});

/** Returns the error text of a call that finds no browser. */
async function reason(): Promise<string> {
  const { success, output } = await browser.call('navigate', { url });
  expect(success).toBe(false);
  const { reason, ...rest } = JSON.parse(output) as Record<string, unknown>;
  expect(rest).toEqual({ available: false, code: 'browser_unavailable' });
  return String(reason);
}

it('an offscreen window that cannot be created is reported with its reason', async () => {
  electrons();
  expect(await reason()).toMatch(
    /^The browser cannot open a page: .*Cannot create BrowserWindow before app is ready/,
  );
});

it('a window that renders nothing is reported, and none is left behind', async () => {
  emitReady();
  asked.openPage = () => Promise.reject(new Error('ERR_FAILED (-2) loading about:blank'));
  electrons();
  expect(await reason()).toMatch(/^The browser cannot open a page: .*ERR_FAILED/);
  expect(asked.windows).toEqual([]);
});

it('a session that cannot be created suggests an installed browser', async () => {
  electrons();
  await expect(engine.open({ proxyPort: -1 })).rejects.toMatchObject({
    code: 'browser_unavailable',
    message: expect.stringMatching(
      /^The app's own browser does not work on this computer: .*need a proxy of this machine\. .*--headless to use an installed Chromium\.$/,
    ) as string,
  });
});

it('an engine that does not start is reported, and started again by the next call', async () => {
  let tries = 0;
  start(() => {
    tries += 1;
    throw new Error('the GPU process is gone.');
  });
  const expected =
    /^The app's own browser does not work on this computer: the GPU process is gone\. /;
  expect(await reason()).toMatch(expected);
  expect(await reason()).toMatch(expected);
  expect(tries).toBe(2);
});

it('a crashed page does not prevent ending another one that uses too much memory', async () => {
  emitReady();
  const hog = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const ended = once(hog, 'exit') as Promise<[number | null, string | null]>;
  asked.openPage = ({ webContents }) => {
    const id = `page-${asked.windows.length}`;
    webContents.debugger.carry = () => Promise.resolve({ frameTree: { frame: { id } } });
    return Promise.resolve();
  };
  asked.renderers = () => [{ pid: hog.pid as number, bytes: 8 * 1024 ** 3 }];
  const descriptions = new Map<unknown, Record<string, string>>();
  const pages = new ModelBrowser((message) => {
    const { id, result } = message as { id?: number; result?: Record<string, string> };
    if (id !== undefined) descriptions.set(id, result ?? {});
  });
  const ask = async (id: number, method: string, params: object) => {
    pages.send({ id, method, params });
    await expect.poll(() => descriptions.has(id)).toBe(true);
    return descriptions.get(id) ?? {};
  };
  const proxyServer = 'http://127.0.0.1:9';
  const { browserContextId } = await ask(1, 'Target.createBrowserContext', { proxyServer });
  await ask(2, 'Target.createTarget', { browserContextId });
  // Electron throws this for a page whose process has exited.
  Object.defineProperty(asked.windows[0]?.webContents.mainFrame, 'framesInSubtree', {
    get: () => {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    },
  });
  await ask(3, 'Target.createTarget', { browserContextId });
  try {
    expect(await ended).toEqual([null, 'SIGKILL']);
  } finally {
    hog.kill('SIGKILL');
    await pages.end();
    asked.renderers = () => [];
  }
});
