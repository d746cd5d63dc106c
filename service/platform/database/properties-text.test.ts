import { getProperties } from 'properties-file';
import { describe, expect, it } from 'vitest';
import { decodeText, withKey, withValues } from './properties-text.ts';

const changed = (text: string, values: Record<string, string>): string =>
  withValues(text, (key, value) => values[key] ?? value);

describe('changing a value', () => {
  it.each([
    ['a=1\nb=2\n', 'a=1\nb=ENC(x+/\\=)\n'],
    [
      '# c\r\n\r\n  b : pl\\\r\n   ain\nx=1\r\ny\t2\n\n',
      '# c\r\n\r\n  b : ENC(x+/\\=)\nx=1\r\ny\t2\n\n',
    ],
    ['b=2', 'b=ENC(x+/\\=)'],
    ['\ufeffb=2\n#é', '\ufeffb=ENC(x+/\\=)\n#é'],
    ['a=1\rb 2\r!z', 'a=1\rb ENC(x+/\\=)\r!z'],
    ['b\n', 'b=ENC(x+/\\=)\n'],
    ['b=1\n# between\nb=2\n\n\n', 'b=ENC(x+/\\=)\n# between\nb=ENC(x+/\\=)\n\n\n'],
    ['\\u0062 = 1\n', '\\u0062 = ENC(x+/\\=)\n'],
    ['#b=1\n!b=1\n', '#b=1\n!b=1\n'],
    ['', ''],
  ])('keeps every other character: %j', (text, expected) => {
    const after = changed(text, { b: 'ENC(x+/=)' });
    expect(after).toBe(expected);
    const keys = getProperties(text);
    expect(getProperties(after)).toEqual('b' in keys ? { ...keys, b: 'ENC(x+/=)' } : keys);
  });

  it('to the same value keeps the line as it was written', () => {
    const text = 'b = jdbc\\:x\\u0041\\\n  y\n';
    expect(changed(text, { b: 'jdbc:xAy' })).toBe(text);
  });

  it('writes a format that every reader of properties understands', () => {
    const after = changed('b=1\n', { b: ' ä=\\:#!\t\u{1f511}\nx' });
    expect(after).toMatch(/^[\x20-\x7e]+\n$/);
    expect(getProperties(after)).toEqual({ b: ' ä=\\:#!\t\u{1f511}\nx' });
  });
});

it('a key is added on a line of its own', () => {
  expect(withKey('', 'a', '1')).toBe('a=1\n');
  expect(withKey('x=1', 'a', '1')).toBe('x=1\na=1\n');
  expect(withKey('x=1\r\n', 'a', '1')).toBe('x=1\r\na=1\r\n');
});

it.each([
  Buffer.from('a=ä\n\ufeff'),
  Buffer.from('\ufeffa=1'),
  Buffer.from([0x61, 0x3d, 0xe4, 0xff]),
])('bytes come back as they were: %j', (bytes) => {
  const { text, encoding } = decodeText(bytes);
  expect(Buffer.from(text, encoding).equals(bytes)).toBe(true);
});
