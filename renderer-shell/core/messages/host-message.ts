import type { HostMessage } from '../../../service/contract/host-message.ts';
import { hostFormat } from './translator.ts';

/**
 * Returns what the host says in the language of the page. `english` is what the service answered; it is
 * shown in English, and where there is no message because others said it, or an earlier release.
 */
export function hostMessage(message: HostMessage | null | undefined, english: string): string {
  const format = message ? hostFormat() : null;
  return (message && format?.(message)) ?? english;
}

/** The error of a field, as in a problem. */
export const fieldText = (error: { message: string; text?: HostMessage | undefined }): string =>
  hostMessage(error.text, error.message);
