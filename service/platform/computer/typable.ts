import { HostError } from '../../core/host-error.ts';

/** The characters of a text, line breaks as one. @throws HostError `invalid_text` */
export function typableCharacters(text: string): string[] {
  const characters = Array.from(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
  const bad = characters.find((one) => /[\p{Cc}\p{Cs}]/u.test(one) && one !== '\n' && one !== '\t');
  if (bad === undefined) return characters;
  const message =
    'The text holds control characters, which no key types. Leave them out, or use computer_key.';
  throw new HostError('invalid', 'invalid_text', message);
}
