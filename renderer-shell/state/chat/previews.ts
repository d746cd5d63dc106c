import type { PlacedMessage } from './conversation-state.ts';
import { canPreview } from './code-files.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { textOf } from './message-text.ts';

/** HTML or SVG of an answer. */
export interface PreviewedCode {
  language: string;
  text: string;
}

/**
 * All HTML and SVG of the answers that are loaded, oldest first: what a model writes anew is a version
 * of what it wrote before.
 */
export function previewsOf(
  messages: readonly Pick<PlacedMessage, 'role' | 'content'>[],
): PreviewedCode[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const text = textOf(message.content);
    // Few answers have any: the others are not read block by block.
    if (!/(?:```|~~~)\s*(?:html?|svg)/i.test(text)) return [];
    return markdownBlocks(text, null).blocks.flatMap(({ code }) =>
      code && canPreview(code.language) ? [code] : [],
    );
  });
}

/** The page that a frame shows: a picture stands in the middle of one. */
export const pageOf = ({ language, text }: PreviewedCode): string =>
  language.toLowerCase() === 'svg'
    ? `<!doctype html><meta charset="utf-8"><style>html,body{height:100%;margin:0}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>${text}`
    : text;
