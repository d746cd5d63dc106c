import { describe, expect, it } from 'vitest';
import { readableText } from './readable-text.ts';

const html =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><p>x</p></body></html>';

describe('a text for people', () => {
  it.each([
    'The command ended.',
    'It needs one of [a, b].',
    'Use {{steps.0.result}}.',
    'a < b and c > d',
    '',
    'Expected "}" at 3]',
    'It is explained in [1].',
    'Take one of [2, 3]',
  ])('stays as it is: %s', (text) => {
    expect(readableText(text)).toEqual({ sentence: text });
  });

  it.each([
    ['{"exitCode":3,"stderr":""}', ''],
    ['{"error":{"message":"No such model.","code":7}}', 'No such model.'],
    ['{"available":false,"reason":"There is no display."}', 'There is no display.'],
    ['[1,2]', ''],
    ['It failed: {"a":1}', 'It failed'],
    ['It failed: {"message":"Too many."}', 'It failed: Too many.'],
    ['They must fit. {"type":"object","properties":{}}.', 'They must fit.'],
    [html, '502 Bad Gateway'],
    [
      `Error POSTing to endpoint (HTTP 502): ${html}`,
      'Error POSTing to endpoint (HTTP 502): 502 Bad Gateway',
    ],
    [`{"message":${JSON.stringify(html)}}`, '502 Bad Gateway'],
  ])('has no data and no page in its sentence: %s', (text, sentence) => {
    expect(readableText(text)).toEqual({ sentence, details: text });
  });

  it.each([
    '[1'.repeat(400_000) + ']',
    `}${' '.repeat(400_000)}x`,
    `${' '.repeat(400_000)}x {`,
    '{"'.repeat(400_000) + '}',
  ])('costs little, however odd it is', (text) => {
    expect(readableText(text)).toEqual({ sentence: text });
  });

  it.each(['<title', '<title ', '<title>', '<title>x'])(
    'is found quickly in an unusual page: %s',
    (part) => {
      const text = `It failed: <html>${part.repeat(400_000)}`;
      expect(readableText(text)).toEqual({ sentence: 'It failed', details: text });
    },
  );

  it('is cut when it is long before its data', () => {
    const text = `${' :'.repeat(200_000)}x {"a":1}`;
    expect(readableText(text).sentence.length).toBeLessThan(5_000);
  });
});
