/** What the line in between takes at most, so that what was shortened once stays as it is. */
const maxMarkerBytes = 64;

/** Head and tail of a text whose UTF-8 is longer than that, with a line in between that says so. */
export function shorten(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  const half = Math.floor((maxBytes - maxMarkerBytes) / 2);
  const head = wholeCharacters(bytes.subarray(0, half));
  const tail = wholeCharacters(bytes.subarray(bytes.length - half));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n[… ${omitted} characters omitted …]\n${tail}`;
}

/** A character that was cut in two at an end goes. */
const wholeCharacters = (bytes: Buffer): string =>
  bytes.toString('utf8').replace(/^\uFFFD+|\uFFFD+$/g, '');
