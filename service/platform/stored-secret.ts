import type { Secrets } from './secrets.ts';

/** A secret of the user: its text, and its stored form, which is encrypted or empty. */
export interface StoredSecret {
  readonly text: string;
  readonly stored: string;
}

/** A text with this mask instead of a secret stands for the stored one. */
const mask = '***';
const visibleCharacters = 4;

/**
 * Decrypts a stored secret. An unreadable one has an empty text and keeps its ciphertext, since the
 * key may be restored.
 */
export function openSecret(secrets: Secrets, stored: string): StoredSecret {
  return { text: stored === '' ? '' : (secrets.decrypt('secret', stored) ?? ''), stored };
}

/** Returns true for a stored secret that is not readable with the key of this machine. */
export const isLost = ({ text, stored }: StoredSecret): boolean => text === '' && stored !== '';

/**
 * Returns the secret after the user sent `given`: a masked text, or an empty one for an unreadable
 * secret, changes nothing.
 */
export function changedSecret(
  secrets: Secrets,
  existing: StoredSecret,
  input: string,
): StoredSecret {
  if (input === existing.text || input.includes(mask)) return existing;
  return { text: input, stored: input === '' ? '' : secrets.encrypt('secret', input) };
}

/** Masks a secret. Its first and last characters stay visible if it is long enough. */
export function masked(secret: string): string {
  if (secret === '') return '';
  if (secret.length < visibleCharacters * 4) return mask;
  return `${secret.slice(0, visibleCharacters)}${mask}${secret.slice(-visibleCharacters)}`;
}
