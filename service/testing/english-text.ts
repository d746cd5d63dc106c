import { type HostText, type Message, textOf } from '../messages/index.ts';

/** Matches a message of the host by its English text, in `toEqual` and similar matchers. */
export function englishText(expected: string | RegExp): Message {
  const asymmetricMatch = (actual: HostText): boolean =>
    typeof expected === 'string' ? textOf(actual) === expected : expected.test(textOf(actual));
  const matcher = { asymmetricMatch, toString: () => `English text ${String(expected)}` };
  return matcher as unknown as Message;
}
