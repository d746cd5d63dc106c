/** What a model is given of one tool result; the stream carries all of it. */
export const maxModelOutputBytes = 64 * 1024;

/** What the line in between takes at most, so that what was shortened once stays as it is. */
const roomOfNote = 64;

/** Head and tail of a text whose UTF-8 is longer than that, with a line in between that says so. */
export function shorten(text: string, maxBytes = maxModelOutputBytes): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  const half = Math.floor((maxBytes - roomOfNote) / 2);
  const head = wholeCharacters(bytes.subarray(0, half));
  const tail = wholeCharacters(bytes.subarray(bytes.length - half));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n[… ${omitted} characters omitted …]\n${tail}`;
}

/**
 * The arguments of an earlier call as the model gets them back. What is too long would no longer be
 * JSON where it is cut, so it becomes an object that holds head and tail.
 */
export function shortenArguments(text: string, maxBytes = maxModelOutputBytes): string {
  const short = shorten(text, maxBytes);
  return short === text ? text : JSON.stringify({ shortened: short });
}

/** A character that was cut in two at an end goes. */
const wholeCharacters = (bytes: Buffer): string =>
  bytes.toString('utf8').replace(/^\uFFFD+|\uFFFD+$/g, '');
