import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeComputer, openWriter } from '../../../testing/computer/computer-behaviour.ts';
import {
  openDisplay,
  setDpi,
  splitScreen,
  type TestDisplay,
} from '../../../testing/computer/open-display.ts';
import { readPng } from '../../../testing/computer/read-png.ts';
import { createProcesses, type Processes } from '../../processes.ts';
import type { ComputerAction, ComputerActions } from '../computer-engine.ts';
import { op, request, u32 } from './requests.ts';
import { X11Engine } from './x11-engine.ts';

let display: TestDisplay;
let processes: Processes;
let engine: X11Engine;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'computer-'));
  processes = createProcesses();
  display = await openDisplay();
  engine = new X11Engine({ processes, display: display.name });
});
afterAll(async () => {
  await engine?.close();
  await display?.close();
  await processes?.close();
  await rm(folder, { recursive: true });
});

const run = <Action extends ComputerAction>(
  action: Action,
  input: ComputerActions[Action][0],
  signal = new AbortController().signal,
) => engine.run(action, input, signal);

/** The titles of the open windows. */
const titles = async (): Promise<string[]> => (await run('apps', {})).apps.map((app) => app.title);
const activeTitle = async () => (await run('apps', {})).apps.find(({ active }) => active)?.title;

const openTerminal = (title: string) => openWriter(display, join(folder, `${title}.txt`), title);

describeComputer('an X11 server', (testDisplay) =>
  Promise.resolve(new X11Engine({ processes, display: testDisplay.name })),
);

describe('typing', () => {
  it('reaches a real program, in every script', async () => {
    const { terminal, typed } = await openTerminal('scripts');
    const line = 'Hello: é ß € Ж 日本語 😀 ~|@\\^`´ "q" <>{}[] %!? 0123 ABC xyz';
    await run('type', { text: `${line}\nsecond\tline\n` });
    await run('key', { keys: 'ctrl+d' });
    await terminal.exited;
    expect(await typed()).toBe(`${line}\nsecond\tline\n`);
  });

  it('of more characters than there are unused keys keeps their order', async () => {
    const { terminal, typed } = await openTerminal('many');
    const letters = Array.from({ length: 45 }, (_, at) => String.fromCodePoint(0x410 + at));
    await run('type', { text: `${letters.join('')}\n` });
    await run('key', { keys: 'ctrl+d' });
    await terminal.exited;
    expect(await typed()).toBe(`${letters.join('')}\n`);
  });

  it('refuses a very long text of another script', async () => {
    const much = { text: '字'.repeat(301) };
    await expect(run('type', much)).rejects.toThrow('computer_clipboard_write');
  });

  it('restores the keyboard layout when the controls are released', async () => {
    const layout = async () => {
      const { minKeycode, maxKeycode } = display.x.setup;
      const range = Buffer.from([minKeycode, maxKeycode - minKeycode + 1, 0, 0]);
      const reply = await display.x.call(request(op.getKeyboardMapping, 0, range));
      return reply.includes(u32(0x1_00_63_3c));
    };
    const controls = await engine.takeControl(() => undefined);
    await run('type', { text: '挼' });
    expect(await layout()).toBe(true);
    await controls.release();
    expect(await layout()).toBe(false);
  });
});

describe('a screenshot', () => {
  it('distinguishes pixels from points at a scale of two [TOOL-14]', async () => {
    await setDpi(display, 192);
    try {
      const { image, ...about } = await run('screenshot', {});
      expect(about).toEqual({ width: 640, height: 400, scale: 2, display: 'screen' });
      expect(readPng(image.data)).toMatchObject({ width: 1280, height: 800 });
      expect(await run('move', { x: 100, y: 50 })).toEqual({ x: 100, y: 50 });
      const pointer = await display.x.call(request(op.queryPointer, 0, u32(display.x.setup.root)));
      expect([pointer.readInt16LE(16), pointer.readInt16LE(18)]).toEqual([200, 100]);
      await expect(run('move', { x: 640, y: 50 })).rejects.toThrow('is not on a display');
    } finally {
      await setDpi(display, 96);
    }
  });

  it('shows one display of two', async () => {
    const other = await openDisplay({ size: '1600x600', managed: false });
    const two = new X11Engine({ processes, display: other.name });
    const { signal } = new AbortController();
    try {
      await splitScreen(other);
      const { displays } = await two.run('displays', {}, signal);
      const halves = displays.filter(({ width }) => width === 800);
      expect(halves.toSorted((one, next) => one.x - next.x)).toEqual([
        { id: 'LEFT-1', x: 0, y: 0, width: 800, height: 600, scale: 1, primary: false },
        { id: 'RIGHT-1', x: 800, y: 0, width: 800, height: 600, scale: 1, primary: true },
      ]);
      expect(await two.run('screenshot', {}, signal)).toMatchObject({ display: 'RIGHT-1' });
      const leftDisplay = await two.run('screenshot', { display: 'LEFT-1' }, signal);
      expect(readPng(leftDisplay.image.data)).toMatchObject({ width: 800, height: 600 });
      await expect(two.run('screenshot', { display: 'TOP' }, signal)).rejects.toThrow('LEFT-1');
      expect(await two.run('move', { x: 1599, y: 599 }, signal)).toEqual({ x: 1599, y: 599 });
    } finally {
      await two.close();
      await other.close();
    }
  });
});

describe('programs', () => {
  it('are launched, listed and brought to the front', async () => {
    await run('launch', { app: 'xterm' });
    await expect.poll(activeTitle).toBe('xterm');
    const { terminal } = await openTerminal('other');
    const { apps } = await run('apps', {});
    expect(apps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'XTerm', title: 'xterm', active: false }),
        expect.objectContaining({ name: 'XTerm', title: 'other', active: true }),
      ]),
    );
    const first = apps.find(({ title }) => title === 'xterm');
    expect(first?.pid).toBeGreaterThan(1);
    await run('activate', { id: first?.id ?? '' });
    expect(await activeTitle()).toBe('xterm');
    await terminal.terminate(0);
    await expect(run('activate', { id: '0x1' })).rejects.toThrow('computer_apps');
  });

  it('that do not exist, or end at once, are reported', async () => {
    await expect(run('launch', { app: 'no-such-program' })).rejects.toThrow('There is no app');
    await expect(run('launch', { app: 'xterm -e id' })).rejects.toThrow('without arguments');
    await expect(run('launch', { app: 'false' })).rejects.toThrow('ended at once with code 1');
  });

  it('end with the engine', async () => {
    const other = new X11Engine({ processes, display: display.name });
    const before = (await titles()).length;
    await other.run('launch', { app: 'xterm' }, new AbortController().signal);
    await expect.poll(async () => (await titles()).length).toBe(before + 1);
    await other.close();
    await expect.poll(async () => (await titles()).length).toBe(before);
  });
});

describe('the clipboard', () => {
  const copy = async (text: string): Promise<void> => {
    const program = await display.start('xclip', ['-selection', 'clipboard', '-quiet']);
    program.stdin.end(text);
    await expect.poll(async () => (await run('clipboard_read', {})).text !== '').toBe(true);
  };
  const paste = async (): Promise<string> => {
    const program = await display.start('xclip', ['-selection', 'clipboard', '-out']);
    return textOf(program.stdout);
  };

  it('is read from another program, even when it is long', async () => {
    await copy('copied ☃ by xclip');
    expect(await run('clipboard_read', {})).toEqual({ text: 'copied ☃ by xclip' });
    await run('clipboard_write', { text: 'in between' });
    await copy('ä'.repeat(120_000));
    await expect
      .poll(() => run('clipboard_read', {}))
      .toEqual({ text: 'ä'.repeat(100_000), truncated: true });
  });

  it('is written for other programs, even when it is long', async () => {
    await run('clipboard_write', { text: 'written 字\nby us' });
    expect(await paste()).toBe('written 字\nby us');
    await run('clipboard_write', { text: '字'.repeat(100_000) });
    expect(await paste()).toBe('字'.repeat(100_000));
    expect(await run('clipboard_read', {})).toEqual({ text: '字'.repeat(100_000) });
  });

  it('is empty if nothing was copied', async () => {
    const other = await openDisplay({ managed: false });
    const empty = new X11Engine({ processes, display: other.name });
    const { signal } = new AbortController();
    expect(await empty.run('clipboard_read', {}, signal)).toEqual({ text: '' });
    await empty.close();
    await other.close();
  });
});
