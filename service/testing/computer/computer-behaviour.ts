import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  ComputerAction,
  ComputerActions,
  ComputerEngine,
} from '../../platform/computer/computer-engine.ts';
import { op, request, u32 } from '../../platform/computer/x11/requests.ts';
import { appsOf } from '../../platform/computer/x11/x-windows.ts';
import { openDisplay, type TestDisplay } from './open-display.ts';
import { readPng } from './read-png.ts';
import { type SeenEvents, watchEvents } from './seen-events.ts';

const queryKeymap = 44;

export const activeTitle = async ({ x }: TestDisplay): Promise<string | undefined> =>
  (await appsOf(x)).find(({ active }) => active)?.title;

/** Opens a terminal in front that stores what is typed, until Ctrl+D. */
export async function openWriter(
  display: TestDisplay,
  file: string,
  title: string,
  more: string[] = [],
) {
  const keep = ['-e', 'sh', '-c', `stty -echo; printf ready; cat > '${file}'`];
  const terminal = await display.start('xterm', ['-u8', '-title', title, ...more, ...keep]);
  await expect.poll(() => activeTitle(display)).toBe(title);
  await expect.poll(() => readFile(file, 'utf8').catch(() => null)).toBe('');
  return {
    terminal,
    typed: () => readFile(file, 'utf8'),
  };
}

/** Tests of the computer tools that every implementation must pass. */
export function describeComputer(
  name: string,
  start: (display: TestDisplay) => Promise<ComputerEngine>,
): void {
  let display: TestDisplay;
  let engine: ComputerEngine;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'computer-'));
    display = await openDisplay();
    engine = await start(display);
  });
  afterAll(async () => {
    await engine?.close();
    await display?.close();
    await rm(folder, { recursive: true });
  });
  const run = <Action extends ComputerAction>(
    action: Action,
    input: ComputerActions[Action][0],
    signal = new AbortController().signal,
  ) => engine.run(action, input, signal);
  const terminalCalled = (title: string, more: string[] = []) =>
    openWriter(display, join(folder, `${title}.txt`), title, more);

  describe(`typing on ${name}`, () => {
    it('reaches a real program, line by line', async () => {
      const { terminal, typed } = await terminalCalled('plain');
      await run('type', { text: 'Hello Plugin 0123\r\nsecond\tline\n' });
      await run('key', { keys: 'ctrl+d' });
      await terminal.exited;
      expect(await typed()).toBe('Hello Plugin 0123\nsecond\tline\n');
    });

    it('refuses characters without a key', async () => {
      await expect(run('type', { text: 'a\u0007b' })).rejects.toThrow('control characters');
    });
  });

  describe(`mouse and keys on ${name}`, () => {
    let seen: SeenEvents;
    beforeEach(async () => {
      seen = await watchEvents(display, '400x300+200+200');
      await expect.poll(() => activeTitle(display)).toBe('Watcher');
      await run('move', { x: 350, y: 350 });
      await expect.poll(() => seen.text()).toContain('EnterNotify');
      seen.clear();
    });
    afterEach(() => seen.program.terminate(0));

    it('clicks with each button the requested number of times', async () => {
      expect(await run('click', { x: 300, y: 300, button: 'right', count: 2 })).toEqual({
        x: 300,
        y: 300,
      });
      await expect.poll(() => seen.text().match(/ButtonRelease event.*?button 3/g)).toHaveLength(2);
      expect(seen.text()).toContain('root:(300,300)');
      await run('click', { x: 310, y: 300, button: 'left', count: 1 });
      await expect.poll(() => seen.text()).toMatch(/ButtonRelease.*root:\(310,300\).*button 1/);
    });

    it('drags with the button down all the way', async () => {
      await run('drag', { fromX: 250, fromY: 250, toX: 370, toY: 310 });
      await expect.poll(() => seen.text()).toContain('ButtonRelease');
      const [, between = ''] = /ButtonPress(.*)ButtonRelease/.exec(seen.text()) ?? [];
      expect(between.match(/MotionNotify event/g)?.length).toBeGreaterThan(3);
      expect(between).toContain('root:(250,250)');
      expect(seen.text()).toMatch(/ButtonRelease.*root:\(370,310\)/);
    });

    it('scrolls by notches in both directions', async () => {
      await run('scroll', { x: 300, y: 300, dx: -100, dy: 250 });
      await expect.poll(() => seen.text().match(/ButtonPress event.*?button 6/g)).toHaveLength(1);
      expect(seen.text().match(/ButtonPress event.*?button 5/g)).toHaveLength(3);
    });

    it('presses and releases chords', async () => {
      await run('key', { keys: 'ctrl+shift+ArrowLeft' });
      await expect.poll(() => seen.text()).toMatch(/KeyRelease.*Left.*KeyRelease.*Shift_L/);
      expect(seen.text()).toMatch(/KeyPress[^K]*state 0x5, keycode \d+ \(keysym 0xff51, Left\)/);
      const keys = await display.x.call(request(queryKeymap, 0));
      expect(keys.subarray(32, 40).equals(Buffer.alloc(8))).toBe(true);
      expect(keys.subarray(8, 32).equals(Buffer.alloc(24))).toBe(true);
      await expect(run('key', { keys: 'hyper+x' })).rejects.toThrow('There is no key');
      await expect(run('key', { keys: 'ctrl+alt+escape' })).rejects.toThrow('stop key');
    });

    it('leaves no button down when it is cancelled in the middle', async () => {
      const controller = new AbortController();
      const dragging = run(
        'drag',
        { fromX: 250, fromY: 250, toX: 370, toY: 310 },
        controller.signal,
      );
      dragging.catch(() => undefined);
      await expect.poll(() => seen.text()).toContain('ButtonPress');
      controller.abort(new Error('enough'));
      await expect(dragging).rejects.toThrow('enough');
      await expect.poll(() => seen.text()).toContain('ButtonRelease');
      const pointer = await display.x.call(request(op.queryPointer, 0, u32(display.x.setup.root)));
      expect(pointer.readUInt16LE(24)).toBe(0);
    });

    it('stays on the displays, and reports where they are [TOOL-13]', async () => {
      const outside = { x: 1280, y: 10, button: 'left', count: 1 } as const;
      await expect(run('click', outside)).rejects.toThrow(
        /^The point 1280, 10 is not on a display\. The displays are: \S+ from 0, 0 to 1279, 799\.$/,
      );
      expect(await run('move', { x: 1279, y: 799 })).toEqual({ x: 1279, y: 799 });
      expect(await run('cursor_position', {})).toEqual({ x: 1279, y: 799 });
    });
  });

  describe(`a screenshot on ${name}`, () => {
    it('shows what programs show', async () => {
      const before = readPng((await run('screenshot', {})).image.data);
      expect([before.width, before.height]).toEqual([1280, 800]);
      const colours = ['-bg', '#12ab34', '-geometry', '40x10+500+400'];
      const { terminal } = await terminalCalled('green', colours);
      const green = async () => readPng((await run('screenshot', {})).image.data).count('#12ab34');
      await expect.poll(green).toBeGreaterThan(20_000);
      await terminal.terminate(0);
      await expect.poll(green).toBe(0);
    });
  });
}
