import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openDisplay,
  pressKeys,
  type TestDisplay,
} from '../../../testing/computer/open-display.ts';
import { readPng } from '../../../testing/computer/read-png.ts';
import { watchEvents } from '../../../testing/computer/seen-events.ts';
import { createProcesses, type Processes } from '../../processes.ts';
import { drawText, type TextPicture } from './draw-text.ts';
import { X11Engine } from './x11-engine.ts';
import { msg } from '../../../messages/index.ts';
import { readLanguage, textIn } from '../../../messages/localize.ts';

let display: TestDisplay;
let processes: Processes;
let engine: X11Engine;
beforeAll(() => {
  processes = createProcesses();
});
afterAll(() => processes.close());
beforeEach(async () => {
  display = await openDisplay({ size: '1600x900' });
  engine = new X11Engine({ processes, display: display.name });
});
afterEach(async () => {
  await engine.close();
  await display.close();
});

const { signal } = new AbortController();
const red = '#b02020';
const style = { font: 'Sans Bold 15px', color: 0xff_ff_ff, background: 0xb0_20_20, padding: 15 };
/** Number of pixels in the text color. */
const inkOf = (picture: TextPicture | null): number => {
  let count = 0;
  for (let at = 0; at < (picture?.pixels.length ?? 0); at += 4)
    if ((picture?.pixels.readUInt32LE(at) ?? 0) << 8 === 0xff_ff_ff << 8) count += 1;
  return count;
};
const shot = async () => readPng((await engine.run('screenshot', {}, signal)).image.data);

describe('controls that are taken', () => {
  it('are shown by an indicator above all windows until they are released', async () => {
    const controls = await engine.takeControl(() => undefined);
    expect(controls.stopKey).toBe('Ctrl+Alt+Esc');
    const wide = (await shot()).count(red);
    expect(wide).toBeGreaterThan(10_000);
    const seen = await watchEvents(display, '1600x400+0+0');
    await expect.poll(() => seen.text()).toContain('MapNotify');
    await expect.poll(async () => (await shot()).count(red)).toBe(wide);
    await controls.release();
    await expect.poll(async () => (await shot()).count(red)).toBe(0);
  });

  it('are shown in the language of the user, with a font of the system', async () => {
    const english = await engine.takeControl(() => undefined);
    const other = await shot();
    await english.release();
    const chinese = new X11Engine({ processes, display: display.name, language: () => 'zh-CN' });
    const controls = await chinese.takeControl(() => undefined);
    const { stopKey } = controls;
    await readLanguage('zh-CN');
    const text = textIn('zh-CN', msg('indicator.text', { stopKey }));
    const drawn = await drawText(text, style);
    await expect.poll(async () => (await shot()).count('#ffffff')).toBe(inkOf(drawn));
    expect((await shot()).count('#ffffff')).not.toBe(other.count('#ffffff'));
    await controls.release();
    await chinese.close();
  });

  it('are drawn in every script that has a font, and in no other', async () => {
    const [latin, chinese] = [await drawText('AA', style), await drawText('模型', style)];
    expect(chinese?.width).toBeGreaterThan(2 * style.padding);
    expect(inkOf(chinese)).toBeGreaterThan(inkOf(latin));
    expect(await drawText('\u{F8FFE}', style)).toBeNull();
  });

  it('let clicks pass through the indicator', async () => {
    const controls = await engine.takeControl(() => undefined);
    const seen = await watchEvents(display, '1600x400+0+0');
    await expect.poll(() => seen.text()).toContain('MapNotify');
    await engine.run('click', { x: 800, y: 30, button: 'left', count: 1 }, signal);
    await expect.poll(() => seen.text()).toMatch(/ButtonPress.*root:\(800,30\)/);
    await controls.release();
  });

  it('end when the stop key is pressed, in any window', async () => {
    const over: string[] = [];
    const controls = await engine.takeControl((why) => over.push(why));
    const seen = await watchEvents(display, '400x300+100+100');
    await expect.poll(() => seen.text()).toContain('FocusIn');
    await pressKeys(display, ['Control', 'Alt', 'Escape']);
    await expect.poll(() => over).toEqual(['stopped']);
    await controls.release();
    seen.clear();
    await pressKeys(display, ['Control', 'Alt', 'Escape']);
    await expect.poll(() => seen.text()).toContain('Escape');
    expect(over).toEqual(['stopped']);
  });

  it('use another stop key when a program has grabbed the first one', async () => {
    const first = await engine.takeControl(() => undefined);
    const other = new X11Engine({ processes, display: display.name });
    const over: string[] = [];
    const second = await other.takeControl((why) => over.push(why));
    expect(second.stopKey).toBe('Ctrl+Shift+Esc');
    await pressKeys(display, ['Control', 'Shift', 'Escape']);
    await expect.poll(() => over).toEqual(['stopped']);
    await second.release();
    await first.release();
    await other.close();
  });
});

describe('a display that goes away', () => {
  it('is reported by the running action and by the next one', async () => {
    const over: string[] = [];
    await engine.takeControl((why) => over.push(why));
    expect((await engine.state()).available).toBe(true);
    const scrolling = engine.run('scroll', { x: 5, y: 5, dx: 0, dy: 10_000 }, signal);
    display.kill();
    await expect(scrolling).rejects.toMatchObject({ code: 'computer_use_unavailable' });
    await expect.poll(() => over).toEqual(['gone']);
    await expect(engine.run('screenshot', {}, signal)).rejects.toThrow('Is it still running?');
    expect(await engine.state()).toEqual({
      available: false,
      reason: msg('computer.displaySilent', { name: display.name }),
    });
  });

  it('or does not respond makes actions fail within a short time', async () => {
    expect((await engine.state()).available).toBe(true);
    display.freeze();
    await expect(engine.run('screenshot', {}, signal)).rejects.toThrow('did not answer within');
    await expect(engine.run('screenshot', {}, signal)).rejects.toMatchObject({
      code: 'computer_use_unavailable',
    });
  });
});
