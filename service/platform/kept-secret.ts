import type { Secrets } from './secrets.ts';

/** A person's secret as it is used, and as it is stored: encrypted, or empty. */
export interface KeptSecret {
  readonly text: string;
  readonly stored: string;
}

/** Text that holds this in place of a secret stands for the one that is kept. */
const mask = '***';
const shownCharacters = 4;

/** What was stored. One that cannot be read says nothing and keeps its ciphertext: the key may come back. */
export function openSecret(secrets: Secrets, stored: string): KeptSecret {
  return { text: stored === '' ? '' : (secrets.decrypt('secret', stored) ?? ''), stored };
}

/** Stored, but not readable with the key of this machine. */
export const isLost = ({ text, stored }: KeptSecret): boolean => text === '' && stored !== '';

/**
 * What is kept after `given` was sent: what was shown, masked or for a lost secret empty, changes
 * nothing.
 */
export function changedSecret(secrets: Secrets, kept: KeptSecret, given: string): KeptSecret {
  if (given === kept.text || given.includes(mask)) return kept;
  return { text: given, stored: given === '' ? '' : secrets.encrypt('secret', given) };
}

/** Keeps the first and last characters where enough stays hidden. */
export function masked(secret: string): string {
  if (secret === '') return '';
  if (secret.length < shownCharacters * 4) return mask;
  return `${secret.slice(0, shownCharacters)}${mask}${secret.slice(-shownCharacters)}`;
}
