import { expect, it } from 'vitest';
import { msg, readStoredText, storedText } from '../messages/index.ts';

it('a message is read from a column as it was stored', () => {
  const text = msg('run.stepFailed', { step: 2, reason: msg('run.hostClosed'), more: 0 });
  expect(readStoredText(storedText(text))).toEqual(text);
});

it.each([
  'It ended with 1.',
  '{"code":"x"}',
  '{"code":"run.hostClosed","more":1}',
  '{"code":"run.stepFailed"}',
  '{"code":"run.hostClosed"',
])('what others said stays a text: %s', (text) => {
  expect(readStoredText(storedText(text))).toBe(text);
});
