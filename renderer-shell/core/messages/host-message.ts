import type { HostMessage } from '../../../service/contract/host-message.ts';
import { hostText } from './problem-texts.ts';
import { hostFormat } from './translator.ts';

/**
 * As `hostMessage`, where what others said, or an earlier release of the host, has no message: it stays
 * as it is.
 */
export const messageOrOriginal = (message: HostMessage | null | undefined, text: string): string =>
  message ? hostMessage(message, text) : text;

/**
 * Returns what the host says in the language of the page. `english` is what the service answered; it is
 * shown in English, and where others said it, so that there is no message.
 */
export function hostMessage(message: HostMessage | undefined, english: string): string {
  const format = hostFormat();
  if (format === null) return english;
  return message === undefined ? hostText(english) : (format(message) ?? english);
}
