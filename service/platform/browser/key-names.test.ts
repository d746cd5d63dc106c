import { describe, expect, it } from 'vitest';
import { keyParts } from './key-names.ts';

describe('names of keys', () => {
  it.each([
    ['a', ['a']],
    ['é', ['é']],
    ['+', ['+']],
    [' ', ['Space']],
    ['enter', ['Enter']],
    ['ArrowLeft', ['ArrowLeft']],
    ['ctrl+a', ['Control', 'a']],
    ['Ctrl+Shift+ArrowUp', ['Control', 'Shift', 'ArrowUp']],
    ['cmd++', ['Meta', '+']],
    ['shift', ['Shift']],
    ['F12', ['F12']],
  ])('%s is %j', (text, parts) => expect(keyParts(text)).toEqual(parts));

  it.each(['', 'NoKey', 'ctrl+', 'a+b', 'ctrl+NoKey', 'F13'])('%j is not a key name', (text) => {
    expect(() => keyParts(text)).toThrow('Keys are single characters or names such as Enter');
  });
});
