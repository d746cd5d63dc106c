/** A start tag of a page. */
export interface PageTag {
  /** Offset of its `<` in the page. */
  index: number;
  /** From `<` to `>`; for a long tag only the beginning. */
  text: string;
  /** True if text follows before the next tag. */
  hasText: boolean;
}

/** Only tags with inline image data in an attribute are longer. */
const maxTag = 4_096;
const tagOrComment = /<(?:[a-z]|!--)/gi;
/** A `>` ends a tag, unless it is in a quoted attribute. */
const endOrQuote = />|=\s{0,20}["']/g;

/**
 * Yields the start tags of a page, without those in comments, scripts and styles. Reads each
 * character once, so that the cost of an untrusted page is linear in its length.
 */
export function* pageTags(html: string): Generator<PageTag> {
  let at = 0;
  for (;;) {
    const index = indexFrom(html, tagOrComment, at);
    if (index === html.length) return;
    if (html.startsWith('<!--', index)) {
      at = indexFrom(html, /-->/g, index);
      continue;
    }
    const end = tagEnd(html, index);
    const text = html.slice(index, Math.min(end, index + maxTag));
    const raw = /^<(script|style)\b/i.exec(text)?.[1];
    const next = raw === undefined ? html.indexOf('<', end) : rawEnd(html, raw, end);
    at = next === -1 ? html.length : next;
    yield { index, text, hasText: html.slice(end, at).trim() !== '' };
  }
}

function tagEnd(html: string, start: number): number {
  endOrQuote.lastIndex = start;
  for (let found = endOrQuote.exec(html); found !== null; found = endOrQuote.exec(html)) {
    const { 0: text, index } = found;
    if (text === '>') return index + 1;
    const closing = html.indexOf(text.slice(-1), index + text.length);
    if (closing === -1) return html.length;
    endOrQuote.lastIndex = closing + 1;
  }
  return html.length;
}

const rawEnd = (html: string, name: string, start: number): number =>
  indexFrom(html, name.toLowerCase() === 'script' ? /<\/script/gi : /<\/style/gi, start);

/** Returns the length of the text if there is no match. */
function indexFrom(text: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}
