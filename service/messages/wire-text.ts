import { textOf } from './english.ts';
import { type HostText, isMessage, type Message } from './message.ts';

/** Name of the field for the message of the field `K`. */
type MessageKey<K extends string> = K extends 'message' ? 'text' : `${K}Message`;

type WireText<K extends string> = Record<K, string> & Partial<Record<MessageKey<K>, Message>>;

/** Returns the field in English, and its message if the host wrote the text. */
export function wireText<K extends string>(key: K, text: HostText): WireText<K> {
  const messageKey = key === 'message' ? 'text' : `${key}Message`;
  const fields = { [key]: textOf(text), ...(isMessage(text) ? { [messageKey]: text } : {}) };
  return fields as WireText<K>;
}

/**
 * Returns the fields of a list of warnings, with null as the message of texts that are not from the
 * host.
 */
export const wireWarnings = (
  warnings: readonly HostText[],
): { warnings: string[]; warningMessages: (Message | null)[] } => ({
  warnings: warnings.map(textOf),
  warningMessages: warnings.map((warning) => (isMessage(warning) ? warning : null)),
});
