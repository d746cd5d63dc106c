import { shorten as shortenTo } from '../../../core/shorten.ts';

/** What a model is given of one tool result; the stream carries all of it. */
const maxModelOutputBytes = 64 * 1024;

/** Head and tail of what is longer than that. */
export const shorten = (text: string, maxBytes = maxModelOutputBytes): string =>
  shortenTo(text, maxBytes);

/**
 * The arguments of an earlier call as the model gets them back. What is too long would no longer be
 * JSON where it is cut, so it becomes an object that holds head and tail.
 */
export function shortenArguments(text: string, maxBytes = maxModelOutputBytes): string {
  const short = shorten(text, maxBytes);
  return short === text ? text : JSON.stringify({ shortened: short });
}
