/** A part of a statement: either code, or a quoted value, quoted name or comment. */
export interface SqlPiece {
  start: number;
  end: number;
  quoted: boolean;
}

const opening = /'|"|--|\/\*|\$\$/g;
const closingMarks: Record<string, string> = {
  "'": "'",
  '"': '"',
  '--': '\n',
  '/*': '*/',
  $$: '$$',
};

/**
 * Splits a statement in one pass, in order and without gaps. A doubled quote inside a quoted value
 * results in two adjacent quoted pieces. An unclosed quote extends to the end.
 */
export function* sqlPieces(sql: string): Generator<SqlPiece> {
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const found = opening.exec(sql);
    if (found === null) break;
    const mark = found[0];
    const start = found.index;
    if (start > at) yield { start: at, end: start, quoted: false };
    const closing = closingMarks[mark] as string;
    const close = sql.indexOf(closing, start + mark.length);
    at = close === -1 ? sql.length : close + closing.length;
    yield { start, end: at, quoted: true };
  }
  if (at < sql.length) yield { start: at, end: sql.length, quoted: false };
}
