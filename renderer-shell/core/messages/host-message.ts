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
