import { randomUUID } from 'node:crypto';
import type { ChatContent, MessageAttachment } from '../../../contract/index.ts';
import { openPlainFile } from '../../../platform/archives/plain-open.ts';
import type { SharedSource } from '../../plugins/index.ts';
import { maxImageCharacters } from '../../tools/index.ts';
import { shorten } from '../turn/shorten.ts';
import type { AttachmentText } from './attachment-store.ts';
import { imageTypeOf, typeOf } from './attachment-type.ts';
import { decodeText } from './decode-text.ts';

type ImagePart = Extract<Exclude<ChatContent, string>[number], { type: 'image' }>;

/** A file that goes with a message, or what is stored of one. */
export type AttachmentSource =
  SharedSource | (Omit<MessageAttachment, 'refId'> & { text: string | undefined });

/** What a message has of its files. */
export interface Attached {
  attachments: MessageAttachment[];
  texts: AttachmentText[];
  images: ImagePart[];
}

/** A longer text is an attachment that only its name and size are told of. */
const maxTextBytes = 32 * 1024 ** 2;
const maxImagesCharacters = 3 * maxImageCharacters;
const excerptBytes = 64 * 1024;
const allExcerptsBytes = 256 * 1024;

type Read = Omit<MessageAttachment, 'refId'> & { text?: string | undefined; data?: string };

/** Reads what models can be given of these files. */
export async function readAttachments(sources: readonly AttachmentSource[]): Promise<Attached> {
  const read: Read[] = [];
  // One after the other: each of them may be large.
  for (const source of sources) read.push('text' in source ? source : await readSource(source));
  const shares = excerptShares(read.map(({ text = '' }) => Buffer.byteLength(text)));
  const attached: Attached = { attachments: [], texts: [], images: [] };
  let imageCharacters = 0;
  for (const [index, { text, data, name, mimeType, sizeBytes, kind }] of read.entries()) {
    imageCharacters += data?.length ?? 0;
    const isShown = data === undefined || imageCharacters <= maxImagesCharacters;
    const facts = { name: name.slice(0, 300), mimeType, sizeBytes };
    if (text === undefined) attached.attachments.push({ ...facts, kind: isShown ? kind : 'other' });
    else {
      const refId = randomUUID();
      attached.attachments.push({ ...facts, kind, refId });
      attached.texts.push({ refId, text, excerpt: shorten(text, shares[index] ?? 0) });
    }
    if (data !== undefined && isShown) attached.images.push({ type: 'image', mimeType, data });
  }
  return attached;
}

async function readSource({ name, kind, size, path }: SharedSource): Promise<Read> {
  const unread = (mimeType: string): Read => ({ name, mimeType, sizeBytes: size, kind: 'other' });
  if (kind === 'directory') return unread('inode/directory');
  const bytes = path === null || size > maxTextBytes ? null : await bytesOf(path);
  if (bytes === null) return unread(typeOf(name, false));
  const sizeBytes = bytes.length;
  const imageType = imageTypeOf(bytes);
  if (imageType !== undefined) {
    const data = bytes.toString('base64');
    if (data.length > maxImageCharacters) return unread(imageType);
    return { name, mimeType: imageType, sizeBytes, kind: 'image', data };
  }
  const text = decodeText(bytes);
  if (text === null) return unread(typeOf(name, false));
  return { name, mimeType: typeOf(name, true), sizeBytes, kind: 'text', text: text.toWellFormed() };
}

/** Null where it is no plain file, cannot be read, or has grown too long. */
async function bytesOf(path: string): Promise<Buffer | null> {
  const handle = await openPlainFile(path);
  if (handle === null) return null;
  try {
    if ((await handle.stat()).size > maxTextBytes) return null;
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** What is short is whole; the others share the rest alike. */
export function excerptShares(sizes: readonly number[]): number[] {
  const shares = sizes.map(() => 0);
  let remaining = allExcerptsBytes;
  const ascending = [...sizes.entries()].sort(([, a], [, b]) => a - b);
  for (const [place, [index, size]] of ascending.entries()) {
    const fair = Math.floor(remaining / (ascending.length - place));
    const share = Math.min(size, excerptBytes, fair);
    shares[index] = share;
    remaining -= share;
  }
  return shares;
}
