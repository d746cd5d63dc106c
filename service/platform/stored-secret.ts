import type { Secrets } from './secrets.ts';

/** A person's secret as it is used, and as it is stored: encrypted, or empty. */
export interface StoredSecret {
  readonly text: string;
  readonly stored: string;
}

/** Text that holds this in place of a secret stands for the one that is kept. */
const mask = '***';
const visibleCharacters = 4;

/** What was stored. One that cannot be read says nothing and keeps its ciphertext: the key may come back. */
export function openSecret(secrets: Secrets, stored: string): StoredSecret {
  return { text: stored === '' ? '' : (secrets.decrypt('secret', stored) ?? ''), stored };
}

/** Stored, but not readable with the key of this machine. */
export const isLost = ({ text, stored }: StoredSecret): boolean => text === '' && stored !== '';

/**
 * What is kept after `given` was sent: what was shown, masked or for a lost secret empty, changes
 * nothing.
 */
export function changedSecret(
  secrets: Secrets,
  existing: StoredSecret,
  input: string,
): StoredSecret {
  if (input === existing.text || input.includes(mask)) return existing;
  return { text: input, stored: input === '' ? '' : secrets.encrypt('secret', input) };
}

/** Keeps the first and last characters where enough stays hidden. */
export function masked(secret: string): string {
  if (secret === '') return '';
  if (secret.length < visibleCharacters * 4) return mask;
  return `${secret.slice(0, visibleCharacters)}${mask}${secret.slice(-visibleCharacters)}`;
}
