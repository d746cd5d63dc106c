import { cut, oneLine } from './visible-text.ts';

const maxLength = 300;
const maxSearched = 16 * 1024;

/**
 * The first plain paragraph of a Markdown text as one shortened line; otherwise its first heading,
 * or ''.
 */
export function firstParagraph(markdown: string): string {
  const text = markdown.slice(0, maxSearched).replace(/<!--[^]*?(?:-->|$)/g, '');
  let heading = '';
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n').map((line) => line.trim());
    const title = lines.find((line) => /^#{1,6}\s/.test(line));
    heading ||= oneLine((title ?? '').replace(/^#+/, ''));
    const paragraphText = oneLine(lines.filter((line) => !isMarkup(line)).join(' '));
    if (paragraphText !== '') return cut(paragraphText, maxLength);
  }
  return cut(heading, maxLength);
}

/** True for headings, rules, fences and standalone tags. */
function isMarkup(line: string): boolean {
  return /^(?:#{1,6}\s.*|[-*_=]{3,}|```.*|~~~.*|<[^>]*>)$/.test(line);
}
