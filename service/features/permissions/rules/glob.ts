/**
 * The literal pieces of a pattern; any text may stand between two of them. One piece: the pattern
 * has no `*`.
 */
export type Glob = readonly string[];

/** Parses a pattern. `\*` is a literal star and `\\` a backslash; any other backslash is itself. */
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

/** Returns a pattern that matches only this text. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*]/g, String.raw`\$&`);
}

/** Takes linear time in the length of the text, whatever the pattern. */
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
