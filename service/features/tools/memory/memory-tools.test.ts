import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenTools, openTools } from '../../../testing/open-tools.ts';
import { wordsOf } from './words-of.ts';

const dayMs = 24 * 60 * 60 * 1_000;
interface Found {
  id: string;
  text: string;
  tags: string[];
  score?: number;
  createdAt: string;
}
let tools: OpenTools;
beforeEach(async () => {
  tools = await openTools();
  tools.settings.memoryEnabled = true;
});
afterEach(() => tools.close());

const remember = async (text: string, tags?: string[]): Promise<string> => {
  const { id } = await tools.json('memory_remember', tags ? { text, tags } : { text });
  return String(id);
};
const memories = async (name: string, args: object): Promise<Found[]> =>
  (await tools.json(name, args))['memories'] as Found[];
const search = async (query: string, more = {}): Promise<string[]> =>
  (await memories('memory_search', { query, ...more })).map(({ text }) => text);

describe('the memory', () => {
  it('stores, lists and deletes [TOOL-16]', async () => {
    const first = await remember('Zoë likes green 🙂', ['colours', '東京']);
    tools.clock.nowMs += 1_000;
    const second = await remember('The build takes an hour');
    expect(await memories('memory_list', {})).toEqual([
      {
        id: second,
        text: 'The build takes an hour',
        tags: [],
        createdAt: expect.any(String) as unknown,
      },
      {
        id: first,
        text: 'Zoë likes green 🙂',
        tags: ['colours', '東京'],
        createdAt: new Date(tools.clock.nowMs - 1_000).toISOString(),
      },
    ]);
    expect(await memories('memory_list', { limit: 1 })).toMatchObject([{ id: second }]);
    expect(await tools.json('memory_forget', { id: second })).toEqual({ forgotten: true });
    expect(await tools.json('memory_forget', { id: Number(first) })).toEqual({ forgotten: true });
    for (const id of [first, '0', 'x', '9'.repeat(15), "1' OR 1=1"])
      expect(await tools.json('memory_forget', { id }), id).toEqual({ forgotten: false });
    expect(await memories('memory_list', {})).toEqual([]);
  });

  it('ranks by shared words in text and tags [TOOL-18]', async () => {
    await remember('The build of the project takes an hour');
    await remember('The project is written in Rust');
    await remember('Coffee is in the kitchen', ['project']);
    expect(await search('RUST project?')).toEqual([
      'The project is written in Rust',
      'Coffee is in the kitchen',
      'The build of the project takes an hour',
    ]);
    expect(await search('rust project', { limit: 1 })).toEqual(['The project is written in Rust']);
    expect(await search('nothing of that')).toEqual(['The build of the project takes an hour']);
    expect(await search('?!')).toEqual([]);
  });

  it('halves the score of what is 7 days old [TOOL-18, LIMIT-24]', async () => {
    await remember('apples and pears are fruit');
    tools.clock.nowMs += 7 * dayMs;
    await remember('apples only');
    const found = await memories('memory_search', { query: 'apples pears' });
    expect(found.map(({ text, score }) => [text, score])).toEqual([
      ['apples only', 0.5],
      ['apples and pears are fruit', 0.5],
    ]);
    tools.clock.nowMs += 7 * dayMs;
    const later = await memories('memory_search', { query: 'apples pears plums' });
    expect(later.map(({ score }) => score)).toEqual([0.166667, 0.166667]);
    tools.clock.nowMs -= 30 * dayMs;
    const earlier = await memories('memory_search', { query: 'apples' });
    expect(earlier.map(({ score }) => score)).toEqual([1, 1]);
  });

  it('finds words in every script', async () => {
    await remember('我在东京大学学习计算机');
    await remember('Straße und ÄPFEL');
    await remember('ｆｕｌｌｗｉｄｔｈ 123');
    await remember('дом у моря');
    expect(await search('京大')).toEqual(['我在东京大学学习计算机']);
    expect(await search('äpfel')).toEqual(['Straße und ÄPFEL']);
    expect(await search('fullwidth')).toEqual(['ｆｕｌｌｗｉｄｔｈ 123']);
    expect(await search('МОРЯ')).toEqual(['дом у моря']);
  });

  it('refuses long or empty texts, and reports when it is full', async () => {
    for (const args of [
      { text: '' },
      { text: 'x'.repeat(4_001) },
      { text: 'x', tags: ['y'.repeat(51)] },
      {},
    ])
      expect((await tools.call('memory_remember', args)).success).toBe(false);
    expect((await tools.call('memory_search', { query: '' })).success).toBe(false);
    expect((await tools.call('memory_remember', { text: 'x'.repeat(4_000) })).success).toBe(true);
    await Promise.all(Array.from({ length: 1_999 }, (_, index) => remember(`memory ${index}`)));
    const { success, output } = await tools.call('memory_remember', { text: 'one more' });
    expect({ success, output }).toEqual({
      success: false,
      output: expect.stringMatching(/Forget some first/) as unknown,
    });
    expect(await search('1234')).toEqual(['memory 1234']);
  });
});

describe('tokenizing a text', () => {
  it.each([
    ["Don't stop: e-mail me@x.org!", ['don', 't', 'stop', 'e', 'mail', 'me', 'x', 'org']],
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
    ['v2 の 日', ['v2', 'の', '日']],
    ['Cafe\u0301 CAFÉ', ['café']],
    ['', []],
  ])('of %j finds its words', (text, words) => {
    expect([...wordsOf(text)]).toEqual(words);
  });
});
