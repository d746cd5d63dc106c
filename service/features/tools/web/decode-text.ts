import { TextDecoder } from 'node:util';

/** The part of a page that may declare its encoding. */
const prescanBytes = 4_096;

/**
 * Decodes a body by its byte order mark, the charset of its content type, or its `<meta charset>`;
 * otherwise as UTF-8 if valid, else as windows-1252.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const mark = markOf(bytes);
  const label = mark ?? charsetOf(contentType) ?? metaCharset(bytes);
  const named = label === null ? null : decoderOf(label);
  if (named !== null) return named.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(label === null ? 'windows-1252' : 'utf-8').decode(bytes);
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return null;
}

function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1] ?? null;
}

function metaCharset(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescanBytes));
  const label = /<meta[^>]{1,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(
    start.toString('latin1'),
  )?.[1];
  // A tag that is readable at this point cannot be UTF-16.
  return label !== undefined && /^utf-16/i.test(label) ? 'utf-8' : (label ?? null);
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
