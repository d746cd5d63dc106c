/** Bytes reserved for the marker line, so that a shortened text is not shortened again. */
const maxMarkerBytes = 64;

/**
 * Returns the start and the end of a text of more than `maxBytes` in UTF-8, with a marker line
 * between them.
 */
export function shorten(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  const half = Math.floor((maxBytes - maxMarkerBytes) / 2);
  const head = wholeCharacters(bytes.subarray(0, half));
  const tail = wholeCharacters(bytes.subarray(bytes.length - half));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n[… ${omitted} characters omitted …]\n${tail}`;
}

/** Drops a character that was split at an end. */
const wholeCharacters = (bytes: Buffer): string =>
  bytes.toString('utf8').replace(/^\uFFFD+|\uFFFD+$/g, '');
