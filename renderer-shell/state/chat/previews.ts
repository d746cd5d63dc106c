import type { PlacedMessage } from './conversation-state.ts';
import { canPreview } from './code-files.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { textOf } from './message-text.ts';

/** HTML or SVG code of an answer. */
export interface PreviewedCode {
  language: string;
  text: string;
}

/**
 * Returns all HTML and SVG of the loaded answers, oldest first: rewritten code is a later version
 * of the earlier code.
 */
export function previewsOf(
  messages: readonly Pick<PlacedMessage, 'role' | 'content'>[],
): PreviewedCode[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const text = textOf(message.content);
    // Few answers have any, so the others are not parsed.
    if (!/(?:```|~~~)\s*(?:html?|svg)/i.test(text)) return [];
    return markdownBlocks(text, null).blocks.flatMap(({ code }) =>
      code && canPreview(code.language) ? [code] : [],
    );
  });
}

/** Returns the page for the frame; an image is centered in it. */
export const pageOf = ({ language, text }: PreviewedCode): string =>
  language.toLowerCase() === 'svg'
    ? `<!doctype html><meta charset="utf-8"><style>html,body{height:100%;margin:0}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>${text}`
    : text;
