import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComputerActions } from '../computer-engine.ts';
import { unavailable } from '../unavailable.ts';
import { DesktopEngine } from './desktop-engine.ts';
import type { DesktopSystem } from './desktop-system.ts';
import { menuOf } from './installed-programs.ts';
import type { Robot } from './robot.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'menu-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A system with one display, and a library that records its calls. */
function recorded(platform: NodeJS.Platform, onCall: (call: string) => void = () => undefined) {
  const done: string[] = [];
  const opened: string[] = [];
  const argsText = (args: unknown[]) =>
    args.map((one) => (Array.isArray(one) ? one.join('+') : String(one)));
  const calls = ['keyTap', 'unicodeTap', 'moveMouse', 'dragMouse', 'mouseToggle', 'mouseClick'];
  const robot = Object.fromEntries(
    [...calls, 'scrollMouse'].map((name) => [
      name,
      (...args: unknown[]) => {
        done.push([name, ...argsText(args)].join(' '));
        onCall(name);
      },
    ]),
  ) as unknown as Robot;
  robot.updateScreenMetrics = () => undefined;
  let windows = 0;
  const system = {
    platform,
    access: () => ({ screen: 'granted', input: true }),
    displays: () => [{ id: '1', x: 0, y: 0, width: 800, height: 600, scale: 1, primary: true }],
    cursor: () => ({ x: 1, y: 1 }),
    nativePoint: (point) => point,
    windows: () =>
      Promise.resolve(Array.from({ length: windows }, (_, at) => ({ id: `${at}`, title: '' }))),
    open(path) {
      opened.push(path);
      windows += 1;
      return Promise.resolve(path.includes('Broken') ? 'No application is set for it.' : '');
    },
  } as Partial<DesktopSystem> as DesktopSystem;
  const menu = { folders: [folder], suffix: platform === 'win32' ? '.lnk' : '.app' };
  const engine = new DesktopEngine(system, { load: () => Promise.resolve(robot), menu });
  const { signal } = new AbortController();
  return {
    done,
    opened,
    engine,
    system,
    run: <Action extends keyof ComputerActions>(
      action: Action,
      input: ComputerActions[Action][0],
    ) => engine.run(action, input, signal),
  };
}

const codes = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `unicodeTap ${text.charCodeAt(at)}`);

describe('typing', () => {
  it('sends each character itself, so that the keyboard layout does not matter', async () => {
    const { run, done } = recorded('win32');
    await run('type', { text: 'é:字😀\n\t' });
    expect(done).toEqual([...codes('é:字😀'), 'keyTap enter ', 'keyTap tab ']);
  });

  it('refuses characters that macOS events cannot hold, before anything is typed', async () => {
    const { run, done } = recorded('darwin');
    await expect(run('type', { text: 'a😀' })).rejects.toThrow('computer_clipboard_write');
    expect(done).toEqual([]);
    await run('type', { text: '字:' });
    expect(done).toEqual(codes('字:'));
  });
});

describe('keys', () => {
  it.each([
    ['win32', 'ctrl+shift+ArrowLeft', 'keyTap left control+shift'],
    ['win32', 'ctrl+A', 'keyTap a control'],
    ['win32', 'ctrl++', 'keyTap + control'],
    ['darwin', 'cmd++', 'keyTap = command+shift'],
    ['darwin', 'meta+v', 'keyTap v command'],
    ['win32', 'alt+F4', 'keyTap f4 alt'],
    ['win32', 'PageUp', 'keyTap pageup '],
    ['win32', 'Meta', 'keyTap command '],
    ['win32', ':', 'unicodeTap 58'],
  ] as const)('on %s, %s is %s', async (platform, key, expected) => {
    const { run, done } = recorded(platform);
    await run('key', { keys: key });
    expect(done).toEqual([expected]);
  });

  it('that are the stop key or not keys are refused', async () => {
    const { run, done } = recorded('win32');
    await expect(run('key', { keys: 'ctrl+alt+esc' })).rejects.toThrow('is a stop key');
    await expect(run('key', { keys: 'hyper+x' })).rejects.toThrow('There is no key');
    expect(done).toEqual([]);
  });
});

describe('the mouse', () => {
  const at = { x: 5, y: 6 };

  it('sends multiple clicks as each system expects them', async () => {
    const windows = recorded('win32');
    await windows.run('click', { ...at, button: 'left', count: 2 });
    const once = ['mouseToggle down left', 'mouseToggle up left'];
    expect(windows.done).toEqual(['moveMouse 5 6', ...once, ...once]);
    const mac = recorded('darwin');
    await mac.run('click', { ...at, button: 'left', count: 2 });
    expect(mac.done).toEqual(['moveMouse 5 6', ...once, 'mouseClick left true']);
    const thrice = mac.run('click', { ...at, button: 'left', count: 3 });
    await expect(thrice).rejects.toMatchObject({ code: 'unsupported_action' });
  });

  it('scrolls in the units of each system', async () => {
    const windows = recorded('win32');
    await windows.run('scroll', { ...at, dx: -100, dy: 150 });
    expect(windows.done.slice(1)).toEqual([
      ...['scrollMouse 0 -120', 'scrollMouse 0 -120', 'scrollMouse 120 0'],
    ]);
    const mac = recorded('darwin');
    await mac.run('scroll', { ...at, dx: 0, dy: -100 });
    expect(mac.done.slice(1)).toEqual(['scrollMouse 0 100']);
  });

  it('releases its buttons when a call is cancelled', async () => {
    const controller = new AbortController();
    const { engine, done } = recorded('win32', (call) => {
      if (call === 'dragMouse') controller.abort(new Error('enough'));
    });
    const input = { fromX: 1, fromY: 1, toX: 700, toY: 500 };
    await expect(engine.run('drag', input, controller.signal)).rejects.toThrow('enough');
    expect(done).toEqual([
      ...['moveMouse 1 1', 'mouseToggle down left', 'dragMouse 59 43', 'mouseToggle up left'],
    ]);
  });
});

describe('a program', () => {
  it('is opened by its name in any folder of the start menu of Windows', async () => {
    await mkdir(join(folder, 'Tools'), { recursive: true });
    await writeFile(join(folder, 'Tools', 'Note Pad.lnk'), '');
    const { run, opened } = recorded('win32');
    await run('launch', { app: 'note pad' });
    expect(opened).toEqual([join(folder, 'Tools', 'Note Pad.lnk')]);
    for (const app of ['../Tools/Note Pad', 'Note Pad.lnk /x', 'nowhere', '', 'C:\\x.exe'])
      await expect(run('launch', { app })).rejects.toThrow('There is no app');
  });

  it('is an app on macOS, and a failure to open it is reported', async () => {
    await mkdir(join(folder, 'Broken.app', 'Contents', 'Inner.app'), { recursive: true });
    const { run, opened } = recorded('darwin');
    await expect(run('launch', { app: 'Broken' })).rejects.toThrow('No application is set');
    expect(opened).toEqual([join(folder, 'Broken.app')]);
    await expect(run('launch', { app: 'Inner' })).rejects.toThrow('There is no app');
    await expect(run('launch', { app: 'sh' })).rejects.toThrow('There is no app');
  });

  it('is searched for in the menu folders of the system', () => {
    const env = { ProgramData: '/data', APPDATA: '/me' };
    const programsPath = join('Microsoft', 'Windows', 'Start Menu', 'Programs');
    expect(menuOf('win32', env)).toEqual({
      folders: [join('/data', programsPath), join('/me', programsPath)],
      suffix: '.lnk',
    });
    expect(menuOf('darwin').folders).toContain('/System/Applications/Utilities');
  });
});

it('a library that cannot be loaded makes computer use unavailable, in the state as well', async () => {
  const { system } = recorded('win32');
  const load = () => Promise.reject(unavailable('It cannot be loaded.'));
  const engine = new DesktopEngine(system, { load });
  expect((await engine.state()).available).toBe(true);
  const { signal } = new AbortController();
  const moving = engine.run('move', { x: 1, y: 1 }, signal);
  await expect(moving).rejects.toMatchObject({ code: 'computer_use_unavailable' });
  expect(await engine.state()).toEqual({ available: false, reason: 'It cannot be loaded.' });
  await engine.close();
});
