import { hasText } from './english.ts';
import { type HostText, isMessage, type Message } from './message.ts';

/** Returns the value of a text column: a message as JSON, other texts unchanged. */
export const storedText = (text: HostText): string =>
  isMessage(text) ? JSON.stringify(text) : text;

/**
 * Parses a text column; anything that is not a message of the catalogs is a text that is not from
 * the host, or from an earlier release.
 */
export function readStoredText(stored: string): HostText {
  if (!stored.startsWith('{"code":"')) return stored;
  try {
    const value = JSON.parse(stored) as Message;
    const names = Object.keys(value).filter((name) => name !== 'code' && name !== 'parameters');
    return names.length === 0 && hasText(value) ? value : stored;
  } catch {
    return stored;
  }
}
