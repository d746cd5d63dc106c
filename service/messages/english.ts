import en from './en.json' with { type: 'json' };
import { formatterOf } from './format.ts';
import type { HostText, Message } from './message.ts';

const format = formatterOf(en.service, 'en');

/**
 * Returns the English text, which API responses contain next to the code. Strings stay unchanged.
 */
export const textOf = (text: HostText): string =>
  typeof text === 'string' ? text : (format(text) ?? text.code);

/** Returns true if the catalogs have a text for the message, with its parameters. */
export const hasText = (message: Message): boolean => format(message) !== null;
