import { shorten as shortenTo } from '../../../core/shorten.ts';

/** Bytes of a tool result for the model; the stream has all of it. */
const maxModelOutputBytes = 64 * 1024;

/** Head and tail of a longer text. */
export const shorten = (text: string, maxBytes = maxModelOutputBytes): string =>
  shortenTo(text, maxBytes);

/**
 * Shortens the arguments of an earlier call. Truncated JSON would be invalid, so long arguments
 * become an object with head and tail.
 */
export function shortenArguments(text: string, maxBytes = maxModelOutputBytes): string {
  const short = shorten(text, maxBytes);
  return short === text ? text : JSON.stringify({ shortened: short });
}
