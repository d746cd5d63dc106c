/** A pattern in pieces; between two of them may stand anything. One piece: no `*` in it. */
export type Glob = readonly string[];

/** `\*` is a star and `\\` a backslash; any other backslash is itself. */
export function globOf(text: string): Glob {
  const pieces: string[] = [];
  let piece = '';
  for (const [part] of text.matchAll(/\\[\\*]|[^]/g)) {
    if (part === '*') {
      pieces.push(piece);
      piece = '';
    } else piece += part.length > 1 ? part.slice(1) : part;
  }
  return [...pieces, piece];
}

/** The text as a pattern that matches it alone. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*]/g, String.raw`\$&`);
}

/** Takes time in proportion to the text, whatever the pattern. */
export function matchesGlob(pieces: Glob, text: string): boolean {
  const [first = '', ...rest] = pieces;
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
