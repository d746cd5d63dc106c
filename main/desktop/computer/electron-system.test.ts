import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DesktopEngine } from '../../../service/app/index.ts';
import type { ComputerActions } from '../../../service/platform/computer/computer-engine.ts';
import type { Robot } from '../../../service/platform/computer/desktop/robot.ts';
import { readPng } from '../../../service/testing/computer/read-png.ts';
import { asked, emitReady, resetElectron } from '../../testing/stand-in/electron.ts';
import { machine } from '../../testing/stand-in/screen.ts';
import { electronSystem } from './electron-system.ts';
import { msg, textOf } from '../../../service/messages/index.ts';

vi.mock('electron', () => import('../../testing/stand-in/electron.ts'));

beforeEach(() => {
  resetElectron();
  emitReady();
});

afterEach(() => vi.useRealTimers());

const { signal } = new AbortController();
/** Positions that the mouse was moved to. */
const moved: [number, number][] = [];
const robot = {
  updateScreenMetrics: () => undefined,
  moveMouse: (x: number, y: number) => moved.push([x, y]),
} as unknown as Robot;

function engineOf(platform: NodeJS.Platform, language = 'en') {
  moved.length = 0;
  const system = electronSystem(() => language, platform);
  const engine = new DesktopEngine(system, { load: () => Promise.resolve(robot) });
  return {
    engine,
    run: <Action extends keyof ComputerActions>(
      action: Action,
      input: ComputerActions[Action][0],
    ) => engine.run(action, input, signal),
  };
}

const display = (id: number, rectangle: [number, number, number, number], scaleFactor = 1) => {
  const [x, y, width, height] = rectangle;
  const bounds = { x, y, width, height };
  return { id, bounds, workArea: bounds, scaleFactor };
};

describe('what the system lets the app do', () => {
  it('is reported with the pane in the settings of macOS that allows it', async () => {
    machine.access = { screen: 'denied', input: false };
    const { engine, run } = engineOf('darwin');
    const { available, reason: why } = await engine.state();
    const reason = textOf(why);
    expect(available).toBe(false);
    expect(reason).toContain('see the screen (denied). Allow Plugin Host in System Settings');
    expect(reason).toContain('Privacy & Security > Screen & System Audio Recording');
    expect(reason).toContain('Privacy & Security > Accessibility');
    const refused = { code: 'computer_use_unavailable', message: reason };
    await expect(run('screenshot', {})).rejects.toMatchObject(refused);
    await expect(engine.takeControl(() => undefined)).rejects.toMatchObject(refused);
  });

  it('is requested once from a person, by a call and not by a query of the state', async () => {
    machine.access = { screen: 'not-determined', input: false };
    const { engine, run } = engineOf('darwin');
    await engine.state();
    expect(machine.prompts).toEqual([]);
    await expect(run('screenshot', {})).rejects.toThrow('not-determined');
    await expect(run('displays', {})).rejects.toThrow('not-determined');
    expect(machine.prompts).toEqual(['accessibility', 'screen']);
  });

  it('is sufficient on macOS if both are allowed, and each missing one is named', async () => {
    const { engine } = engineOf('darwin');
    expect(await engine.state()).toEqual({
      available: true,
      reason: msg('computer.available'),
    });
    machine.access = { screen: 'granted', input: false };
    expect(textOf((await engine.state()).reason)).toMatch(
      /^macOS does not let this app press keys/,
    );
    machine.access = { screen: 'restricted', input: true };
    expect(textOf((await engine.state()).reason)).not.toContain('Accessibility');
  });

  it('is everything on Windows, except programs that run as administrator', async () => {
    machine.access = { screen: 'granted', input: false };
    const { available, reason } = await engineOf('win32').engine.state();
    expect(available).toBe(true);
    expect(textOf(reason)).toContain('as administrator');
  });
});

describe('displays', () => {
  it("are measured from their common corner, and points are converted to the system's units [TOOL-13]", async () => {
    machine.displays = [display(5, [0, 0, 1440, 900], 2), display(6, [-1920, -180, 1920, 1080])];
    const { run } = engineOf('darwin');
    expect((await run('displays', {})).displays).toEqual([
      { id: '5', x: 1920, y: 180, width: 1440, height: 900, scale: 2, primary: true },
      { id: '6', x: 0, y: 0, width: 1920, height: 1080, scale: 1, primary: false },
    ]);
    machine.cursor = () => ({ x: -1910, y: -170 });
    expect(await run('move', { x: 10, y: 10 })).toEqual({ x: 10, y: 10 });
    expect(moved).toEqual([[-1910, -170]]);
    expect(await run('cursor_position', {})).toEqual({ x: 10, y: 10 });
    await expect(run('move', { x: 2000, y: 100 })).rejects.toThrow(
      'The point 2000, 100 is not on a display. The displays are: 5 from 1920, 180 to 3359, 1079, 6 from 0, 0',
    );
  });

  it('of high density have points, which Windows counts as pixels', async () => {
    machine.displays = [display(1, [0, 0, 1280, 720], 1.5)];
    const { run } = engineOf('win32');
    await run('move', { x: 100, y: 50 });
    expect(moved).toEqual([[150, 75]]);
  });

  it('are captured in pixels, each by its id', async () => {
    machine.displays = [display(1, [0, 0, 20, 10], 2), display(2, [20, 0, 30, 10])];
    machine.picture = ({ id, bounds, scaleFactor }) => {
      const [width, height] = [bounds.width * scaleFactor, bounds.height * scaleFactor];
      const colour = id === 1 ? [0x33, 0x22, 0x11, 0] : [0xff, 0, 0, 0];
      const pixels = Buffer.alloc(width * height * 4, Buffer.from(colour));
      return Promise.resolve({ width, height, pixels });
    };
    const { run } = engineOf('win32');
    const { image, ...about } = await run('screenshot', {});
    expect(about).toEqual({ width: 20, height: 10, scale: 2, display: '1' });
    expect(readPng(image.data)).toMatchObject({ width: 40, height: 20 });
    expect(readPng(image.data).count('#112233')).toBe(800);
    const other = await run('screenshot', { display: '2' });
    expect(readPng(other.image.data).count('#0000ff')).toBe(300);
    await expect(run('screenshot', { display: '9' })).rejects.toThrow('The displays are: 1, 2.');
  });

  it('that the system never reports are unavailable', async () => {
    vi.useFakeTimers();
    machine.picture = () => new Promise(() => undefined);
    const { run } = engineOf('win32');
    const refused = expect(run('screenshot', {})).rejects.toMatchObject({
      code: 'computer_use_unavailable',
      message: 'The system did not show what is on the screen within 10 seconds.',
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
  });

  it('that have gone, or give no picture, are unavailable', async () => {
    const { run } = engineOf('win32');
    await expect(run('screenshot', {})).rejects.toMatchObject({ code: 'computer_use_unavailable' });
    machine.displays = [];
    await expect(run('displays', {})).rejects.toMatchObject({ code: 'computer_use_unavailable' });
  });
});

describe('the controls', () => {
  const text = () => decodeURIComponent(asked.windows[0]?.loaded[0] ?? '');

  it.each([
    ['en', 'An AI model is using the mouse and keyboard. Press Ctrl+Alt+Esc to stop it.'],
    ['zh-CN', 'AI 模型正在使用鼠标和键盘。按 Ctrl+Alt+Esc 停止。'],
  ])(
    'are shown in the language %s by a strip above all, which clicks go through',
    async (language, expected) => {
      machine.displays = [display(1, [0, 0, 1600, 900]), display(2, [-800, 0, 800, 600])];
      const controls = await engineOf('darwin', language).engine.takeControl(() => undefined);
      const [window] = asked.windows;
      expect(text()).toContain(expected);
      expect(text()).toContain("default-src 'none'");
      expect(window?.layer).toEqual({
        ignoresMouse: true,
        level: 'screen-saver',
        onAllWorkspaces: true,
      });
      expect(window?.state).toMatchObject({ shown: true, focused: false });
      expect(window?.options).toMatchObject({
        x: 440,
        y: 0,
        width: 720,
        frame: false,
        focusable: false,
        skipTaskbar: true,
        webPreferences: { sandbox: true, contextIsolation: true, javascript: false },
      });
      await controls.release();
      expect(asked.windows).toEqual([]);
      expect([...machine.shortcuts]).toEqual([]);
    },
  );

  it('end with the stop key, the first that no other program has', async () => {
    const over: string[] = [];
    machine.takenShortcuts = ['Control+Alt+Escape'];
    const { engine } = engineOf('win32');
    const controls = await engine.takeControl((why) => over.push(why));
    expect(controls.stopKey).toBe('Ctrl+Shift+Esc');
    expect(text()).toContain('Press Ctrl+Shift+Esc to stop it');
    machine.shortcuts.get('Control+Shift+Escape')?.();
    expect(over).toEqual(['stopped']);
    await controls.release();
    machine.takenShortcuts.push('Control+Shift+Escape', 'Control+Alt+F12');
    await expect(engine.takeControl(() => undefined)).rejects.toThrow(
      'no key could stop the model',
    );
  });

  it('are not granted without the strip', async () => {
    machine.displays = [display(1, [0, 0, 1600, 900])];
    asked.openPage = () => Promise.reject(new Error('ERR_FAILED'));
    await expect(engineOf('win32').engine.takeControl(() => undefined)).rejects.toThrow(
      'ERR_FAILED',
    );
    expect([asked.windows.length, machine.shortcuts.size]).toEqual([0, 0]);
    asked.openPage = null;
  });

  it('are not granted if the strip never appears', async () => {
    vi.useFakeTimers();
    asked.openPage = () => new Promise(() => undefined);
    const refused = expect(
      engineOf('win32').engine.takeControl(() => undefined),
    ).rejects.toMatchObject({
      code: 'computer_use_unavailable',
      message: 'The indicator of computer use did not appear within 5 seconds.',
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    expect([asked.windows.length, machine.shortcuts.size]).toEqual([0, 0]);
    asked.openPage = null;
  });

  it.each([
    ['is closed', () => asked.windows[0]?.destroy()],
    [
      'has lost its page',
      () => asked.windows[0]?.webContents.emit('render-process-gone', {}, { reason: 'oom' }),
    ],
  ])('are lost once the strip %s', async (_how, happens) => {
    const over: string[] = [];
    const controls = await engineOf('win32').engine.takeControl((why) => over.push(why));
    happens();
    expect(over).toEqual(['gone']);
    await controls.release();
    expect([asked.windows.length, machine.shortcuts.size, ...over]).toEqual([0, 0, 'gone']);
  });

  it('are returned without a message when the strip is hidden', async () => {
    const over: string[] = [];
    const controls = await engineOf('win32').engine.takeControl((why) => over.push(why));
    await controls.release();
    expect(over).toEqual([]);
  });
});

describe('programs and the clipboard', () => {
  it('are listed as far as Electron knows them', async () => {
    machine.windows = [{ id: 'window:12:0', name: 'Notes' }];
    const { run } = engineOf('win32');
    expect(await run('apps', {})).toEqual({ apps: [{ id: 'window:12:0', title: 'Notes' }] });
    await expect(run('activate', { id: 'window:12:0' })).rejects.toMatchObject({
      code: 'unsupported_action',
      message: expect.stringContaining('not supported') as unknown,
    });
  });

  it('hold text, of which a hundred thousand characters are read', async () => {
    const { run } = engineOf('win32');
    await run('clipboard_write', { text: '字 and more' });
    expect(machine.clipboard).toBe('字 and more');
    expect(await run('clipboard_read', {})).toEqual({ text: '字 and more' });
    machine.clipboard = 'a'.repeat(100_001);
    expect(await run('clipboard_read', {})).toEqual({ text: 'a'.repeat(100_000), truncated: true });
  });
});
