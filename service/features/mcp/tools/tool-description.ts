/** What hides from a reader, or makes a terminal do something: all but line breaks and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Letters that nobody sees and models read. */
const tags = /[\u{e0000}-\u{e007f}]/gu;

/** What a server says of its tool: text of a stranger, at most `maxLength` UTF-16 units, all of it visible. */
export function shownDescription(
  { description, title }: { description?: string | undefined; title?: string | undefined },
  maxLength: number,
): string {
  const start = (description ?? title ?? '').slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  // Nearly all are, and a catalog of a thousand is to be made in no time.
  if (/^[\n\t -~]*$/.test(start)) return start;
  const lines = start.replaceAll(/\r\n?/g, '\n').replaceAll(tags, '');
  return lines.replaceAll(hidden, '\ufffd').toWellFormed();
}
