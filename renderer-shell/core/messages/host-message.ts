import type { HostMessage } from '../../../service/contract/host-message.ts';
import { hostFormat } from './translator.ts';

/**
 * Returns the host's message in the language of the page. `english` is the service's own text. It
 * is used in English, and when there is no message because the text comes from a third party or
 * from an earlier release.
 */
export function hostMessage(message: HostMessage | null | undefined, english: string): string {
  const format = message ? hostFormat() : null;
  return (message && format?.(message)) ?? english;
}

/** Returns the text of a field error, as in a problem response. */
export const fieldText = (error: { message: string; text?: HostMessage | undefined }): string =>
  hostMessage(error.text, error.message);

/** A text for people, and data that belongs in “Details”. */
export interface SplitMessage {
  text: string;
  details: string | undefined;
}

/** Characters. */
const maxSentence = 600;

/** Separates the first line of a failure from what others wrote after it, such as a stack. */
export function splitMessage(
  message: HostMessage | null | undefined,
  english: string,
): SplitMessage {
  const whole = hostMessage(message, english).trim();
  const [first = ''] = whole.split('\n');
  const text = first.length > maxSentence ? `${first.slice(0, maxSentence)}…` : first.trim();
  return { text, details: text === whole ? undefined : whole };
}
