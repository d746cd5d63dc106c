import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

/**
 * Splits a text into characters, with CRLF as one line break.
 * @throws HostError `invalid_text`
 */
export function typableCharacters(text: string): string[] {
  const characters = Array.from(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
  const bad = characters.find((one) => /[\p{Cc}\p{Cs}]/u.test(one) && one !== '\n' && one !== '\t');
  if (bad === undefined) return characters;
  const message = msg('computer.controlCharacters');
  throw new HostError('invalid', 'invalid_text', message);
}
