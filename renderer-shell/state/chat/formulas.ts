/**
 * A private-use character, absent from all fonts, that marks a formula while Markdown is parsed.
 */
const marker = '\uE000';
const pipe = '\uE001';

/** A formula in TeX. */
export interface Formula {
  tex: string;
  /** True if the formula is on a line of its own. */
  display: boolean;
}

/**
 * Turns formulas (`$…$`, `$$…$$`) of a Markdown block into code spans that `formulaOf` recognizes,
 * so that Markdown changes nothing in them. To exclude amounts of money, there must be no space
 * after the first and before the last `$`, and no digit after the last one.
 */
export function markFormulas(markdown: string): string {
  if (!markdown.includes('$')) return markdown;
  let result = '';
  let at = 0;
  while (at < markdown.length) {
    const length = skippedLength(markdown, at);
    if (length > 0) {
      result += markdown.slice(at, at + length);
      at += length;
      continue;
    }
    const found = markdown[at] === '$' ? formulaAt(markdown, at) : null;
    if (found === null) result += markdown[at] ?? '';
    else result += codeSpanOf(found);
    at += found?.length ?? 1;
  }
  return result;
}

/** Returns the formula inside of a code span, or null. */
export function formulaOf(code: string): Formula | null {
  if (!code.startsWith(marker) || !code.endsWith(marker) || code.length < 4) return null;
  return { display: code[1] === 'd', tex: code.slice(2, -1).replaceAll(pipe, '|') };
}

const backticks = /`+/y;

/** Returns the length of an escaped character or a code span at `at`; 0 for anything else. */
function skippedLength(text: string, at: number): number {
  if (text[at] === '\\') return 2;
  if (text[at] !== '`') return 0;
  backticks.lastIndex = at;
  const fence = backticks.exec(text)?.[0] ?? '`';
  let end = text.indexOf(fence, at + fence.length);
  while (end >= 0 && (text[end + fence.length] === '`' || text[end - 1] === '`'))
    end = text.indexOf(fence, end + fence.length + 1);
  return end < 0 ? fence.length : end + fence.length - at;
}

/** Longer texts are unlikely to be formulas. */
const maxLength = 10_000;
const emptyLine = /\n[ \t>]*\n/;

/** Returns the end of the formula that starts at `from`; -1 if it has no end. */
function formulaEnd(text: string, from: number, delimiter: string): number {
  for (let end = from; end < text.length && end - from < maxLength; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text.startsWith(delimiter, end)) return end;
  }
  return -1;
}

function formulaAt(text: string, at: number): (Formula & { length: number }) | null {
  const display = text[at + 1] === '$';
  const delimiter = display ? '$$' : '$';
  const from = at + delimiter.length;
  const end = formulaEnd(text, from, delimiter);
  const tex = text.slice(from, Math.max(end, from));
  if (tex.trim() === '' || (!display && isPlainText(tex, text[end + 1]))) return null;
  return { tex, display, length: end + delimiter.length - at };
}

/**
 * Returns true if the text between two single dollar signs is an amount or several paragraphs
 * rather than a formula.
 */
const isPlainText = (tex: string, next = ''): boolean =>
  /^\s|\s$/.test(tex) || /\d/.test(next) || emptyLine.test(tex);

function codeSpanOf({ tex, display }: Formula): string {
  const line = tex
    // The markers of a quotation around it.
    .replaceAll(/\n[ \t]*(?:>[ \t]?)+/g, '\n')
    // Otherwise a comment would continue to the end of the formula.
    .replaceAll(/(?<!\\)%[^\n]*(?=\n)/g, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', pipe)
    .trim();
  const longest = (line.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${marker}${display ? 'd' : 'i'}${line}${marker}${fence}`;
}
