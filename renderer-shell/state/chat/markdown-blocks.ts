import { getDefaults, Lexer, type MarkedOptions } from 'marked';

/** One block of a text in Markdown. */
export interface MarkdownBlock {
  /** The source text of the block. */
  raw: string;
  /** The content of a code block; its last line may be incomplete. */
  code: { language: string; text: string } | null;
}

/** A text with its Markdown blocks. */
export interface MarkdownBlocks {
  text: string;
  blocks: readonly MarkdownBlock[];
}

/**
 * Number of blocks at the end that the next text may change: it can belong to a list before an
 * empty line.
 */
const openBlocks = 2;

/** Returns the blocks of a text. If the text continues `before`, only its end is parsed again. */
export function markdownBlocks(source: string, before: MarkdownBlocks | null): MarkdownBlocks {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  const closed = before && text.startsWith(before.text) ? closedBlocks(before.blocks) : [];
  const closedText = closed.map(({ raw }) => raw).join('');
  // A list with an empty line in it cannot be parsed incrementally.
  if (!text.startsWith(closedText)) return { text, blocks: readBlocks(text) };
  return { text, blocks: [...closed, ...readBlocks(text.slice(closedText.length))] };
}

/**
 * A formula between lines of `$$` is one block, whatever it contains. At the end of the text it may
 * still be open.
 */
const formulaLines = /^ {0,3}\$\$[ \t]*\n[^]*?(?:\n {0,3}\$\$[ \t]*(?:\n+|$)|$)/;
const lexing: MarkedOptions = {
  ...getDefaults(),
  extensions: {
    renderers: {},
    childTokens: {},
    block: [
      (source) => {
        const [raw] = formulaLines.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'formula', raw };
      },
    ],
    startBlock: [(source) => source.search(/(?<=\n) {0,3}\$\$[ \t]*\n/)],
  },
};

// Inline content is not parsed here, which would take most of the time.
const readBlocks = (text: string): MarkdownBlock[] =>
  new Lexer(lexing).blockTokens(text).map(({ raw, ...token }) => {
    if (token.type !== 'code') return { raw: detachedCopy(raw), code: null };
    const { lang = '', text: code } = token as { lang?: string; text: string };
    const language = /^[\w+#-]+/.exec(lang)?.[0] ?? '';
    return {
      raw: detachedCopy(raw),
      code: { language: detachedCopy(language), text: detachedCopy(code) },
    };
  });

/** A substring keeps its entire source string in memory: here, each state of the growing text. */
const detachedCopy = (part: string): string => JSON.parse(JSON.stringify(part)) as string;

function closedBlocks(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
  let open = 0;
  for (let at = blocks.length - 1; at > 0; at -= 1) {
    if (blocks[at]?.raw.trim() !== '') open += 1;
    if (open === openBlocks) return blocks.slice(0, at);
  }
  return [];
}

/** Returns a function that parses one growing text repeatedly. */
export function blockReader(): (text: string) => readonly MarkdownBlock[] {
  let before: MarkdownBlocks | null = null;
  return (text) => {
    before = markdownBlocks(text, before);
    return before.blocks;
  };
}

/**
 * Groups blocks into sections of that size. All but the last two sections stay the same while the
 * text grows.
 */
export function sectionsOf(
  blocks: readonly MarkdownBlock[],
  most: number,
): (readonly MarkdownBlock[])[] {
  const sections: (readonly MarkdownBlock[])[] = [];
  for (let from = 0; from < blocks.length; from += most)
    sections.push(blocks.slice(from, from + most));
  return sections;
}

/**
 * Splits code into pieces of that many lines. All but the last one stay the same while the code
 * grows.
 */
export function codePieces(code: string, lines: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  let count = 0;
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) {
    count += 1;
    if (count % lines > 0) continue;
    pieces.push(code.slice(from, at + 1));
    from = at + 1;
  }
  return from < code.length || from === 0 ? [...pieces, code.slice(from)] : pieces;
}

/** Returns a Markdown code block with `code`, whatever it contains. */
export function fenced(code: string, language: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}
