/** What hides from a reader, or makes a terminal do something: all but line breaks and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Letters that nobody sees and models read. */
const tags = /[\u{e0000}-\u{e007f}]/gu;

/** The text of a stranger, all of it to be seen. */
export function visible(text: string): string {
  // Nearly all is, and a catalog of a thousand is to be made in no time.
  if (/^[\n\t -~]*$/.test(text)) return text;
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll(tags, '');
  return lines.replaceAll(hidden, '\ufffd').toWellFormed();
}
