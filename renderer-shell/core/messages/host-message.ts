import type { HostMessage } from '../../../service/contract/host-message.ts';
import { hostText } from './problem-texts.ts';
import { hostFormat } from './translator.ts';

/**
 * Returns what the host says in the language of the page. `english` is what the service answered; it is
 * shown in English, and where others said it, so that there is no message.
 */
export function hostMessage(message: HostMessage | undefined, english: string): string {
  const format = hostFormat();
  if (format === null) return english;
  return message === undefined ? hostText(english) : (format(message) ?? english);
}
