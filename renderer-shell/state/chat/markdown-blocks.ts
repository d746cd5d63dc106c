import { getDefaults, Lexer, type MarkedOptions } from 'marked';

/** One block of a text in Markdown. */
export interface MarkdownBlock {
  /** As it stands in the text. */
  raw: string;
  /** Of a block of code what it holds; its last line may still be open. */
  code: { language: string; text: string } | null;
}

export interface MarkdownBlocks {
  text: string;
  blocks: readonly MarkdownBlock[];
}

/** What comes next may change so many blocks at the end: it can belong to a list before an empty line. */
const openBlocks = 2;

/** The blocks of a text. Where it goes on from `before`, only the end of it is read anew. */
export function markdownBlocks(source: string, before: MarkdownBlocks | null): MarkdownBlocks {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  const closed = before && text.startsWith(before.text) ? closedBlocks(before.blocks) : [];
  const closedText = closed.map(({ raw }) => raw).join('');
  // A list with an empty line in it is not told letter by letter.
  if (!text.startsWith(closedText)) return { text, blocks: readBlocks(text) };
  return { text, blocks: [...closed, ...readBlocks(text.slice(closedText.length))] };
}

/** A formula between lines of `$$` is one block, whatever stands in it. Up to the last one it may be open. */
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

// What stands inside of the lines is not looked at here, which would take most of the time.
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

/** A part of a string keeps all of it in memory: here each state of the text while it grew. */
const detachedCopy = (part: string): string => JSON.parse(JSON.stringify(part)) as string;

function closedBlocks(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
  let open = 0;
  for (let at = blocks.length - 1; at > 0; at -= 1) {
    if (blocks[at]?.raw.trim() !== '') open += 1;
    if (open === openBlocks) return blocks.slice(0, at);
  }
  return [];
}

/** Reads the blocks of one text that grows, again and again. */
export function blockReader(): (text: string) => readonly MarkdownBlock[] {
  let before: MarkdownBlocks | null = null;
  return (text) => {
    before = markdownBlocks(text, before);
    return before.blocks;
  };
}

/** Blocks in sections of so many. All but the last two stay the same while the text grows. */
export function sectionsOf(
  blocks: readonly MarkdownBlock[],
  most: number,
): (readonly MarkdownBlock[])[] {
  const sections: (readonly MarkdownBlock[])[] = [];
  for (let from = 0; from < blocks.length; from += most)
    sections.push(blocks.slice(from, from + most));
  return sections;
}

/** Code in pieces of so many lines. All but the last one stay the same while the code grows. */
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

/** A block of code in Markdown that holds `code` whatever stands in it. */
export function fenced(code: string, language: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}
