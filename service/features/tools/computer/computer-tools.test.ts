import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openComputer } from '../../../testing/computer/open-computer.ts';
import {
  findComputer,
  type ScreenEnvironment,
  unavailableReason,
} from '../../../platform/computer/find-computer.ts';
import type { ComputerEngine } from '../../../platform/computer/computer-engine.ts';
import { createProcesses } from '../../../platform/processes.ts';
import { msg, textOf } from '../../../messages/index.ts';

const examples: Record<string, object> = {
  screenshot: {},
  displays: {},
  apps: {},
  cursor_position: {},
  wait: { milliseconds: 1 },
  move: { x: 1, y: 1 },
  click: { x: 1, y: 1 },
  scroll: { x: 1, y: 1, dx: 0, dy: 1 },
  drag: { fromX: 1, fromY: 1, toX: 2, toY: 2 },
  type: { text: 'a' },
  key: { keys: 'a' },
  launch: { app: 'a' },
  activate: { id: '0x1' },
  clipboard_read: {},
  clipboard_write: { text: '' },
};

const nowhere: ScreenEnvironment = {
  platform: 'linux',
  display: null,
  wayland: null,
  own: null,
  language: () => 'en',
};

describe('without a display', () => {
  it('every call reports the missing display in its result [TOOL-15]', async () => {
    const computer = openComputer(findComputer(nowhere, createProcesses()));
    const listed = (await computer.tools.list()).map(({ name }) => name);
    const named = Object.keys(examples).map((name) => `computer_${name}`);
    expect(listed.toSorted()).toEqual(named.toSorted());
    for (const [action, args] of Object.entries(examples)) {
      const { success, output } = await computer.call(action, args);
      expect([action, success]).toEqual([action, false]);
      expect(JSON.parse(output)).toEqual({
        available: false,
        code: 'computer_use_unavailable',
        reason: expect.stringContaining('DISPLAY is not set') as unknown,
      });
    }
  });

  it('the reason is given for each system', () => {
    const wayland = { ...nowhere, wayland: 'wayland-0' };
    expect(textOf(unavailableReason(wayland))).toContain('This is a Wayland session');
    const mac: ScreenEnvironment = { ...nowhere, platform: 'darwin', display: ':0' };
    expect(unavailableReason(mac)).toEqual(msg('computer.needsDesktopApp', { system: 'macOS' }));
    expect(textOf(unavailableReason({ ...nowhere, platform: 'win32' }))).toContain('On Windows');
  });

  it('the engine of the desktop app is used if there is one', async () => {
    const { engine } = recorded();
    const around: ScreenEnvironment = { ...nowhere, platform: 'darwin', own: engine };
    expect(findComputer(around, createProcesses())).toBe(engine);
  });
});

/** A fake display: records the actions and simulates a person who can stop them. */
function recorded() {
  const done: string[] = [];
  let over: ((why: 'stopped' | 'gone') => void) | null = null;
  const engine: ComputerEngine = {
    state: () => Promise.resolve({ available: true, reason: '' }),
    async run(action, args, signal) {
      done.push(`${action} begins`);
      if ('text' in args && args.text === 'long') await delay(60_000, undefined, { signal });
      done.push(action);
      return { done: true } as never;
    },
    takeControl(onEnd) {
      over = onEnd;
      done.push('taken');
      return Promise.resolve({
        stopKey: 'Esc',
        release() {
          over = null;
          done.push('released');
          return Promise.resolve();
        },
      });
    },
    close: () => Promise.resolve(),
  };
  return { engine, done, stop: (why: 'stopped' | 'gone') => over?.(why) };
}

describe('the effect of a call', () => {
  it('is read if it only looks, and external if it acts [TOOL-11] [TOOL-12]', async () => {
    const computer = openComputer(recorded().engine);
    const tools = await computer.tools.list();
    const reading = tools.filter(({ effect }) => effect === 'read').map(({ name }) => name);
    expect(reading).toEqual([
      ...['computer_screenshot', 'computer_displays', 'computer_apps'],
      ...['computer_cursor_position', 'computer_wait'],
    ]);
    const others = tools.filter(({ name }) => !reading.includes(name));
    expect(others.map(({ effect }) => effect)).toEqual(Array(10).fill('external'));
    await computer.close();
  });
});

describe('the controls', () => {
  it('are acquired by calls that act, not by those that look, and kept until the turn ends', async () => {
    const { engine, done } = recorded();
    const computer = openComputer(engine);
    await computer.call('screenshot');
    await computer.call('type', { text: 'a' });
    await computer.call('key', { keys: 'a' });
    expect(done.filter((one) => !one.endsWith('begins'))).toEqual([
      ...['screenshot', 'taken', 'type', 'key'],
    ]);
    computer.tools.releaseOwner('one');
    await expect.poll(() => done.at(-1)).toBe('released');
    await computer.close();
  });

  it('belong to one conversation or run at a time, and another one gets an error', async () => {
    const { engine, done } = recorded();
    const computer = openComputer(engine);
    await computer.call('move', { x: 1, y: 1 });
    const other = await computer.call('move', { x: 1, y: 1 }, { conversationId: 'two' });
    expect(other.success).toBe(false);
    expect(other.output).toContain('Another conversation or run is using the mouse');
    const run = { runId: 'run', caller: { mode: 'full-access', session: 'one' } } as const;
    expect((await computer.call('move', { x: 1, y: 1 }, run)).success).toBe(false);
    expect((await computer.call('screenshot', {}, { conversationId: 'two' })).success).toBe(true);
    computer.tools.releaseOwner('one');
    expect((await computer.call('move', { x: 1, y: 1 }, { conversationId: 'two' })).success).toBe(
      true,
    );
    expect(done.filter((one) => /taken|released/.test(one))).toEqual([
      ...['taken', 'released', 'taken'],
    ]);
    await computer.close();
  });

  it('are released when they are unused', async () => {
    const { engine, done } = recorded();
    const computer = openComputer(engine, 1);
    await computer.call('move', { x: 1, y: 1 });
    await expect.poll(() => done.at(-1)).toBe('released');
    await computer.close();
  });

  it('are released by the stop key, which ends the call, later calls and the turn', async () => {
    const { engine, done, stop } = recorded();
    const computer = openComputer(engine);
    const stops: object[] = [];
    computer.tools.stopped.subscribe(({ owner, session }) => stops.push({ owner, session }));
    const typing = computer.call('type', { text: 'long' });
    await expect.poll(() => done).toContain('type begins');
    stop('stopped');
    expect(await typing).toMatchObject({ success: false });
    expect((await typing).output).toContain('stopped by the person');
    await expect.poll(() => stops).toEqual([{ owner: 'one', session: 'one' }]);
    const next = await computer.call('move', { x: 1, y: 1 });
    expect(next.output).toContain('stopped by the person');
    computer.tools.releaseOwner('one');
    expect((await computer.call('move', { x: 1, y: 1 })).success).toBe(true);
    await computer.close();
  });

  it('are reported while keys and buttons are pressed, however a call ends, and not while it looks', async () => {
    const { engine, done, stop } = recorded();
    const computer = openComputer(engine, undefined, (pressing) => done.push(`${pressing}`));
    for (const action of ['screenshot', 'apps', 'launch', 'clipboard_read'])
      await computer.call(action, examples[action]);
    expect(done).not.toContain('true');
    done.length = 0;
    for (const action of ['move', 'click', 'drag', 'scroll', 'type', 'key'])
      await computer.call(action, examples[action]);
    const around = (action: string) => ['true', `${action} begins`, action, 'false'];
    expect(done).toEqual(['move', 'click', 'drag', 'scroll', 'type', 'key'].flatMap(around));
    done.length = 0;
    const typing = computer.call('type', { text: 'long' });
    await expect.poll(() => done).toContain('type begins');
    stop('stopped');
    await typing;
    expect(done.filter((one) => /true|false/.test(one))).toEqual(['true', 'false']);
    await computer.close();
  });

  it('are released with the display, which the next call detects again', async () => {
    const { engine, done, stop } = recorded();
    const computer = openComputer(engine);
    const typing = computer.call('type', { text: 'long' });
    await expect.poll(() => done).toContain('type begins');
    stop('gone');
    expect(JSON.parse((await typing).output)).toMatchObject({ code: 'computer_use_unavailable' });
    expect((await computer.call('move', { x: 1, y: 1 })).success).toBe(true);
    await computer.close();
  });

  it('are not acquired by a call with invalid arguments', async () => {
    const { engine, done } = recorded();
    const computer = openComputer(engine);
    const bad: [string, object][] = [
      ['click', { x: -1, y: 1 }],
      ['click', { x: 1, y: 1, count: 4 }],
      ['click', { x: 1, y: 1, button: 'fourth' }],
      ['move', { x: 'left', y: 1 }],
      ['type', { text: 'a'.repeat(10_001) }],
      ['type', {}],
      ['wait', { milliseconds: 60_000 }],
      ['scroll', { x: 1, y: 1, dx: 0, dy: 1e9 }],
    ];
    for (const [action, args] of bad)
      expect([action, (await computer.call(action, args)).success]).toEqual([action, false]);
    expect(done).toEqual([]);
    await computer.close();
  });
});
