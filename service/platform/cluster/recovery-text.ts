import { createHash } from 'node:crypto';

/** Crockford's base 32: no I, L, O and U, which people mistake for other characters. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const bitsOfCharacter = 5;
const keyBytes = 32;
const checksumBytes = 3;
const groupLength = 7;

/** Returns the key as text for people: eight groups of seven characters, with a checksum. */
export function recoveryTextOf(key: Buffer): string {
  const bits = [...key, ...checksumOf(key)].map((byte) => byte.toString(2).padStart(8, '0'));
  const characters = bits
    .join('')
    .match(/.{1,5}/g)
    ?.map((group) => alphabet[parseInt(group, 2)]);
  return (
    (characters ?? [])
      .join('')
      .match(new RegExp(`.{${groupLength}}`, 'g'))
      ?.join('-') ?? ''
  );
}

/** Returns the key; null if a character is missing or wrong. Case, spaces and hyphens do not matter. */
export function keyOfRecoveryText(text: string): Buffer | null {
  const characters = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  const values = Array.from(characters, (character) => alphabet.indexOf(character));
  const length = ((keyBytes + checksumBytes) * 8) / bitsOfCharacter;
  if (values.length !== length || values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(bitsOfCharacter, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const key = bytes.subarray(0, keyBytes);
  return checksumOf(key).equals(bytes.subarray(keyBytes)) ? key : null;
}

const checksumOf = (key: Buffer): Buffer =>
  createHash('sha256').update(key).digest().subarray(0, checksumBytes);
