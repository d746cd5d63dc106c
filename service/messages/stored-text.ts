import { isKnown } from './english.ts';
import { type HostText, isMessage, type Message } from './message.ts';

/** Returns what a column of text holds of it: a message as JSON, what others said as it is. */
export const storedText = (text: HostText): string =>
  isMessage(text) ? JSON.stringify(text) : text;

/** Returns the text of a column; what is no message of the catalogs is what others or an earlier release said. */
export function readStoredText(stored: string): HostText {
  if (!stored.startsWith('{"code":"')) return stored;
  try {
    const value = JSON.parse(stored) as Message;
    const names = Object.keys(value).filter((name) => name !== 'code' && name !== 'parameters');
    return names.length === 0 && isKnown(value) ? value : stored;
  } catch {
    return stored;
  }
}
