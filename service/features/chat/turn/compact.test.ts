import { describe, expect, it } from 'vitest';
import { type ModelMessage, tokensOfText } from '../../models/index.ts';
import { compact } from './compact.ts';
import { tokensOfMessage } from './estimate-tokens.ts';
import { shorten } from './shorten.ts';

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const rounds = (count: number, length: number): ModelMessage[] =>
  Array.from({ length: count }, (_, index) => [
    user(`question ${index} ${'x'.repeat(length)}`),
    assistant(`answer ${index} ${'y'.repeat(length)}`),
  ]).flat();
const size = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

describe('the messages for the model in a long conversation', () => {
  it('are complete below 60 % of the window', () => {
    const messages = rounds(20, 100);
    const window = Math.ceil(size(messages) / 0.6) + 10;
    expect(compact(messages, window, 0)).toEqual(messages);
  });

  it('are the last eight rounds verbatim and notes of the others from there on [LIMIT-14, LIMIT-18]', () => {
    const messages = rounds(20, 400);
    const window = Math.floor(size(messages) / 0.6) - 10;
    const seen = compact(messages, window, 0);
    expect(seen.slice(1)).toEqual(messages.slice(-16));
    const [note] = seen;
    const text = JSON.stringify(note);
    expect(text).toContain('question 11');
    expect(text).toContain('answer 11');
    expect(tokensOfMessage(note as ModelMessage)).toBeLessThan(window * 0.1 + 50);
  });

  it('are complete with a window of 0 [LIMIT-16]', () => {
    const messages = rounds(500, 1_000);
    expect(compact(messages, 0, 0)).toEqual(messages);
  });

  it('must fit together with tools and instructions', () => {
    const messages = rounds(12, 100);
    const window = Math.ceil(size(messages) / 0.6) + 100;
    expect(compact(messages, window, 0)).toEqual(messages);
    expect(compact(messages, window, window)).not.toEqual(messages);
  });

  it('have shortened tool results, the oldest first, if the last rounds alone are too long', () => {
    const result = (index: number): ModelMessage => ({
      role: 'tool',
      results: [{ callId: `c${index}`, output: `${index} ${'z'.repeat(40_000)}`, isError: false }],
    });
    const messages = [user('go'), ...Array.from({ length: 6 }, (_, index) => result(index))];
    const seen = compact(messages, 32_768, 0);
    expect(seen).toHaveLength(messages.length);
    expect(size(seen)).toBeLessThan(32_768);
    expect(seen.at(-1)).toEqual(messages.at(-1));
    expect(tokensOfMessage(seen[1] as ModelMessage)).toBeLessThan(1_000);
  });
});

describe('the calls of the model in later requests', () => {
  it('are shortened like their results, the oldest first, and stay valid JSON', () => {
    const args = JSON.stringify({ path: 'a', text: 'z'.repeat(40_000) });
    const calls = (index: number): ModelMessage[] => [
      {
        role: 'assistant',
        content: [],
        toolCalls: [{ id: `c${index}`, name: 'write', arguments: args }],
      },
      { role: 'tool', results: [{ callId: `c${index}`, output: 'done', isError: false }] },
    ];
    const messages = [user('go'), ...[0, 1, 2, 3, 4, 5].flatMap(calls)];
    const seen = compact(messages, 32_768, 0);
    expect(size(seen)).toBeLessThan(32_768);
    const texts = seen.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.arguments) : [],
    );
    expect(texts.at(-1)).toBe(args);
    expect(JSON.parse(texts[0] ?? '')).toEqual({
      shortened: expect.stringMatching(
        /^\{"path":"a","text":"z+\n\[… \d+ characters omitted/,
      ) as unknown,
    });
  });
});

describe('the attachments of messages', () => {
  const attached = (text: string): ModelMessage => ({
    role: 'user',
    content: [
      { type: 'text', text: 'question <open>' },
      { type: 'text', text, attached: true },
      { type: 'text', text: '<close>' },
    ],
  });
  const long = `HEAD${'z'.repeat(100_000)}TAIL`;

  it('are shortened if space is short, the oldest first and without their marks', () => {
    const messages = [attached(long), assistant('a'), attached(long), assistant('b'), user('now')];
    const window = Math.ceil(size(messages) * 0.7);
    const seen = compact(messages, window, 0);
    expect(size(seen)).toBeLessThanOrEqual(window);
    const [first] = seen;
    const text = JSON.stringify(first);
    expect(text).toMatch(/<open>.*HEADz+\\n\[… \d+ characters omitted …\]\\nz+TAIL.*<close>/);
    expect(text.length).toBeLessThan(4_000);
    expect(seen.slice(1)).toEqual(messages.slice(1));
  });

  it('of the newest question get the remaining space, except for some that is left for the answer', () => {
    const messages = [...rounds(2, 400), attached(long)];
    const seen = compact(messages, 10_000, 500);
    expect(seen.slice(0, -1)).toEqual(messages.slice(0, -1));
    expect(size(seen)).toBeGreaterThan(7_000);
    expect(size(seen)).toBeLessThanOrEqual(7_500);
    expect(JSON.stringify(seen.at(-1))).toMatch(/<open>.*HEADz.*zTAIL.*<close>/);
  });

  it('are not part of the notes of older rounds', () => {
    const messages = [attached(`secret ${long}`), assistant('a'), ...rounds(8, 400)];
    const [note] = compact(messages, Math.floor(size(rounds(8, 400)) / 0.6), 0);
    expect(JSON.stringify(note)).toContain('question <open> […] <close>');
    expect(JSON.stringify(note)).not.toContain('secret');
  });
});

describe('shortening', () => {
  it('keeps head and tail and states how much is missing [LIMIT-19]', () => {
    const text = `HEAD${'m'.repeat(200_000)}TAIL`;
    const short = shorten(text);
    expect(short).toMatch(/^HEADm+\n\[… \d+ characters omitted …\]\nm+TAIL$/);
    expect(Buffer.byteLength(short)).toBeLessThan(64 * 1024 + 100);
    const omitted = Number(/… (\d+) characters/.exec(short)?.[1]);
    expect(short.length - /\n\[.*\]\n/.exec(short)![0].length + omitted).toBe(text.length);
  });

  it('does not shorten the same text twice', () => {
    for (const text of [`HEAD${'m'.repeat(200_000)}TAIL`, '🙂'.repeat(30_000)])
      expect(shorten(shorten(text))).toBe(shorten(text));
  });

  it('never splits a character, and keeps texts that fit', () => {
    for (let odd = 0; odd < 4; odd += 1) {
      const text = 'a'.repeat(odd) + '🙂'.repeat(30_000);
      expect(shorten(text)).not.toContain('\uFFFD');
      expect(shorten(text).isWellFormed()).toBe(true);
    }
    const fits = 'ü'.repeat(32_768);
    expect(shorten(fits)).toBe(fits);
  });
});

it('tokens are estimated from UTF-8 bytes [LIMIT-17]', () => {
  expect(tokensOfText('abcd')).toBe(1);
  expect(tokensOfText('🙂')).toBe(1);
  expect(tokensOfText('字字字字')).toBe(3);
});
