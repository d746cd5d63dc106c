import { randomUUID } from 'node:crypto';
import type { ChatContent, MessageAttachment } from '../../../contract/index.ts';
import { openPlainFile } from '../../../platform/archives/plain-open.ts';
import type { SharedSource } from '../../plugins/index.ts';
import { maxImageCharacters } from '../../tools/index.ts';
import { type MessageCode, msg, wireText } from '../../../messages/index.ts';
import { shorten } from '../turn/shorten.ts';
import type { AttachmentText } from './attachment-store.ts';
import { imageTypeOf, typeOf } from './attachment-type.ts';
import { decodeText } from './decode-text.ts';
import {
  type DocumentKind,
  type DocumentOutcome,
  type DocumentReader,
  documentsLimitMs,
} from './document-reader.ts';

type ImagePart = Extract<Exclude<ChatContent, string>[number], { type: 'image' }>;

type Facts = Omit<MessageAttachment, 'refId'>;

/** A file to attach, or an attachment that is stored already. */
export type AttachmentSource =
  SharedSource | (Facts & { text: (() => Promise<string>) | undefined });

/** Everything that attached files add to a message. */
export interface Attached {
  attachments: MessageAttachment[];
  texts: AttachmentText[];
  images: ImagePart[];
}

/** The model receives only name and size of a longer text. */
const maxTextBytes = 32 * 1024 ** 2;
/** Limit for all texts of a message, which stay in memory until the turn ends. */
const maxAllTextsBytes = 2 * maxTextBytes;
const maxImagesCharacters = 3 * maxImageCharacters;
const excerptBytes = 64 * 1024;
const allExcerptsBytes = 256 * 1024;
const previewCharacters = 200;

type Documents = Pick<DocumentReader, 'read'>;

interface Read {
  facts: Facts;
  text?: string;
  /** Base64 data of an image. */
  data?: string;
}

/** Reads files as texts and images; other files are only named. */
export async function readAttachments(
  sources: readonly AttachmentSource[],
  documents: Documents,
): Promise<Attached> {
  const read = await readInTurn(sources, documents);
  const shares = excerptShares(read.map(({ text = '' }) => Buffer.byteLength(text)));
  const attached: Attached = { attachments: [], texts: [], images: [] };
  for (const [index, { facts, text, data }] of read.entries()) {
    const named = { ...facts, name: facts.name.slice(0, 300) };
    if (text === undefined) attached.attachments.push(named);
    else {
      const refId = randomUUID();
      const preview = previewOf(text);
      attached.attachments.push({ ...named, refId, ...(preview !== '' && { preview }) });
      attached.texts.push({ refId, text, excerpt: shorten(text, shares[index] ?? 0) });
    }
    if (data !== undefined) attached.images.push({ type: 'image', mimeType: facts.mimeType, data });
  }
  return attached;
}

/** The first lines, without empty ones. */
const previewOf = (text: string): string =>
  text
    .slice(0, 4 * previewCharacters)
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
    .slice(0, previewCharacters)
    .toWellFormed();

/** Sequentially, since each file may be large. Beyond the limits, files are only named. */
async function readInTurn(
  sources: readonly AttachmentSource[],
  documents: Documents,
): Promise<Read[]> {
  const endsAtMs = performance.now() + documentsLimitMs;
  const read: Read[] = [];
  let textBytes = 0;
  let imageCharacters = 0;
  for (const source of sources) {
    const remaining = maxAllTextsBytes - textBytes;
    const one =
      'text' in source
        ? await readStored(source, remaining)
        : await readSource(source, { documents, endsAtMs });
    const bytes = Buffer.byteLength(one.text ?? '');
    const characters = one.data?.length ?? 0;
    if (bytes > remaining || imageCharacters + characters > maxImagesCharacters) {
      const code = bytes > remaining ? 'chat.file.textsTooLarge' : 'chat.file.imagesTooLarge';
      read.push({ facts: unread(one.facts, code) });
      continue;
    }
    textBytes += bytes;
    imageCharacters += characters;
    read.push(one);
  }
  return read;
}

async function readStored(
  { text, ...facts }: Exclude<AttachmentSource, SharedSource>,
  remaining: number,
): Promise<Read> {
  if (text === undefined) return { facts };
  if (facts.sizeBytes > remaining) return { facts: unread(facts, 'chat.file.textsTooLarge') };
  return { facts, text: await text() };
}

interface Reading {
  documents: Documents;
  /** Documents are not read after this time. */
  endsAtMs: number;
}

async function readSource(
  { name, kind, size, path }: SharedSource,
  reading: Reading,
): Promise<Read> {
  const other = (mimeType: string, code: MessageCode): Read => ({
    facts: unread({ name, mimeType, sizeBytes: size }, code),
  });
  if (kind === 'directory') return other('inode/directory', 'chat.file.folder');
  if (size > maxTextBytes) return other(typeOf(name, false), 'chat.file.tooLarge');
  const bytes = path === null ? null : await bytesOf(path);
  if (bytes === null) return other(typeOf(name, false), 'chat.file.unreadable');
  const sizeBytes = bytes.length;
  const imageType = imageTypeOf(bytes);
  if (imageType !== undefined) {
    const data = bytes.toString('base64');
    if (data.length > maxImageCharacters) return other(imageType, 'chat.file.imageTooLarge');
    return { facts: { name, mimeType: imageType, sizeBytes, kind: 'image' }, data };
  }
  const document = documentTypeOf(name, bytes);
  if (document !== null) return readDocument({ name, sizeBytes }, bytes, { ...reading, document });
  // Office encrypts the whole file into a container of its older formats.
  if (docxName.test(name) && bytes.subarray(0, 8).equals(containerStart))
    return other(typeOf(name, false), 'chat.file.encrypted');
  const text = decodeText(bytes);
  if (text === null) return other(typeOf(name, false), 'chat.file.binary');
  const facts: Facts = { name, mimeType: typeOf(name, true), sizeBytes, kind: 'text' };
  return { facts, text: text.toWellFormed() };
}

const limitMiB = maxTextBytes / 1024 ** 2;

/** Returns a file of which the model receives only name, type and size. */
const unread = (
  { name, mimeType, sizeBytes }: Pick<Facts, 'name' | 'mimeType' | 'sizeBytes'>,
  code: MessageCode,
): Facts => ({
  name,
  mimeType,
  sizeBytes,
  kind: 'other',
  ...wireText(
    'problem',
    msg(code, code === 'chat.file.tooLarge' ? { limit: limitMiB } : undefined),
  ),
});

interface DocumentType {
  kind: DocumentKind;
  attachmentKind: 'pdf' | 'document';
  mimeType: string;
}

const pdfType: DocumentType = { kind: 'pdf', attachmentKind: 'pdf', mimeType: 'application/pdf' };
const docxName = /\.docx$/i;

/** A PDF by its first bytes, a Word document by these and its name. */
function documentTypeOf(name: string, bytes: Buffer): DocumentType | null {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return pdfType;
  if (!docxName.test(name) || !bytes.subarray(0, 4).equals(zipStart)) return null;
  return { kind: 'docx', attachmentKind: 'document', mimeType: typeOf(name, false) };
}

const zipStart = Buffer.from('PK\x03\x04');
const containerStart = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const problemCodes = {
  damaged: 'chat.file.damaged',
  encrypted: 'chat.file.encrypted',
  noText: 'chat.file.noText',
  tooComplex: 'chat.file.tooComplex',
  tooLarge: 'chat.file.tooLarge',
} as const satisfies Record<string, MessageCode>;

async function readDocument(
  { name, sizeBytes }: Pick<Facts, 'name' | 'sizeBytes'>,
  bytes: Buffer,
  { documents, endsAtMs, document }: Reading & { document: DocumentType },
): Promise<Read> {
  const { kind, attachmentKind, mimeType } = document;
  const limitMs = endsAtMs - performance.now();
  const facts = { name, mimeType, sizeBytes };
  const outcome: DocumentOutcome =
    limitMs <= 0 ? { problem: 'tooComplex' } : await documents.read(kind, bytes, limitMs);
  if ('problem' in outcome) return { facts: unread(facts, problemCodes[outcome.problem]) };
  return { facts: { ...facts, kind: attachmentKind }, text: outcome.text };
}

/** Returns null if it is not a plain file, cannot be read or has grown too long. */
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

/** Short texts are complete; longer ones share the remaining bytes equally. */
function excerptShares(sizes: readonly number[]): number[] {
  const shares = sizes.map(() => 0);
  let remaining = allExcerptsBytes;
  const ascending = [...sizes.entries()].sort(([, a], [, b]) => a - b);
  for (const [rank, [index, size]] of ascending.entries()) {
    const fair = Math.floor(remaining / (ascending.length - rank));
    const share = Math.min(size, excerptBytes, fair);
    shares[index] = share;
    remaining -= share;
  }
  return shares;
}
