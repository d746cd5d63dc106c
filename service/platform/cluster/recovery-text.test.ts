import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { keyOfRecoveryText, recoveryTextOf } from './recovery-text.ts';

it('a key comes back from its recovery text', () => {
  for (let round = 0; round < 50; round += 1) {
    const key = randomBytes(32);
    const text = recoveryTextOf(key);
    expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{7}-){7}[0-9A-HJKMNP-TV-Z]{7}$/);
    expect(keyOfRecoveryText(text)).toEqual(key);
  }
});

it('case, spaces, hyphens and letters that look like digits do not matter', () => {
  const key = Buffer.alloc(32, 1);
  const text = recoveryTextOf(key);
  expect(text).toContain('0');
  expect(text).toContain('1');
  const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  expect(keyOfRecoveryText(`  ${typed}\n`)).toEqual(key);
});

it('a text with one wrong character is refused', () => {
  const text = recoveryTextOf(Buffer.alloc(32, 7));
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '-') continue;
    const wrong = character === 'Z' ? 'Y' : 'Z';
    expect(keyOfRecoveryText(text.slice(0, index) + wrong + text.slice(index + 1))).toBeNull();
  }
});

it.each([[''], ['a'], ['ä'.repeat(56)], ['0'.repeat(55)], ['0'.repeat(57)]])(
  'a text that is none is refused: %j',
  (text) => {
    expect(keyOfRecoveryText(text)).toBeNull();
  },
);
