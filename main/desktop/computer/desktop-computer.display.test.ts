import { createRequire } from 'node:module';
import { expect, it, vi } from 'vitest';
import { DesktopEngine } from '../../../service/app/index.ts';
import { loadRobot } from '../../../service/platform/computer/desktop/robot.ts';
import { i16, op, request, u16, u32 } from '../../../service/platform/computer/x11/requests.ts';
import { describeComputer } from '../../../service/testing/computer/computer-behaviour.ts';
import type { TestDisplay } from '../../../service/testing/computer/open-display.ts';
import { machine } from '../../testing/stand-in/screen.ts';
import { electronSystem } from './electron-system.ts';

vi.mock('electron', () => import('../../testing/stand-in/electron.ts'));

/** Functions that the library has on Linux only. */
interface LinuxRobot {
  setXDisplayName(name: string): void;
  getMousePos(): { x: number; y: number };
}
const robot = createRequire(import.meta.url)('@jitsi/robotjs') as LinuxRobot;

/**
 * The library presses keys and buttons of a real X server. Screenshots and the pointer position of
 * the Electron stand-in come from that server too.
 */
function seeIn({ x }: TestDisplay): void {
  const { width, height, root } = x.setup;
  const bounds = { x: 0, y: 0, width, height };
  const zPixmap = 2;
  machine.displays = [{ id: 7, bounds, workArea: bounds, scaleFactor: 1 }];
  machine.cursor = () => robot.getMousePos();
  machine.picture = async () => {
    const area = [u32(root), i16(0, 0), u16(width, height), u32(0xff_ff_ff_ff)];
    const reply = await x.call(request(op.getImage, zPixmap, ...area));
    return { width, height, pixels: reply.subarray(32) };
  };
}

describeComputer("the desktop's own screen", (display) => {
  robot.setXDisplayName(display.name);
  seeIn(display);
  const system = electronSystem(() => 'en', 'linux');
  return Promise.resolve(new DesktopEngine(system, { load: loadRobot }));
});

it('the library that presses keys is not loaded before the first call that does', async () => {
  let loaded = 0;
  const load = () => {
    loaded += 1;
    return Promise.reject(new Error('not here'));
  };
  const engine = new DesktopEngine(
    electronSystem(() => 'en', 'win32'),
    { load },
  );
  const { signal } = new AbortController();
  await engine.state();
  await engine.run('displays', {}, signal);
  await engine.run('clipboard_write', { text: 'a' }, signal);
  expect(loaded).toBe(0);
  await expect(engine.run('key', { keys: 'a' }, signal)).rejects.toThrow('not here');
  expect(loaded).toBe(1);
});
