/** Characters that are invisible or control a terminal, except for line breaks and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Invisible tag characters that models read. */
const tags = /[\u{e0000}-\u{e007f}]/gu;

/** Makes all characters of an untrusted text visible. */
export function visible(text: string): string {
  // Fast path for plain ASCII, since a catalog may have a thousand descriptions.
  if (/^[\n\t -~]*$/.test(text)) return text;
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll(tags, '');
  return lines.replaceAll(hidden, '\ufffd').toWellFormed();
}
