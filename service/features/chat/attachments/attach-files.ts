import type { ChatMessage, TurnFile } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { SharedFiles } from '../../plugins/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { DocumentReader } from './document-reader.ts';
import type { AttachmentStore, AttachmentText, TextSlice } from './attachment-store.ts';
import { type ReadableAttachment, readAttachmentTool } from './read-attachment-tool.ts';
import { type AttachmentSource, readAttachments } from './read-attachments.ts';
import { msg } from '../../../messages/index.ts';

/** Sources of the contents of attached files. */
export interface AttachOptions {
  shared: Pick<SharedFiles, 'sources'>;
  store: AttachmentStore;
  documents: Pick<DocumentReader, 'read'>;
}

/**
 * Reads the files of a request into its last message.
 * @throws HostError `unknown_upload`, `unknown_grant`, `unknown_path`, `unknown_attachment`
 */
export async function attachFiles(
  messages: readonly ChatMessage[],
  files: readonly TurnFile[],
  options: AttachOptions,
): Promise<{ messages: ChatMessage[]; texts: AttachmentText[] }> {
  const last = messages.at(-1);
  if (last?.role !== 'user' || files.length === 0) return { messages: [...messages], texts: [] };
  const sources = await Promise.all(files.map((file) => sourcesOf(file, options)));
  const { attachments, texts, images } = await readAttachments(sources.flat(), options.documents);
  if (attachments.length === 0) return { messages: [...messages], texts };
  const { content } = last;
  const existingParts =
    typeof content !== 'string'
      ? content
      : content === ''
        ? []
        : [{ type: 'text' as const, text: content }];
  const withFiles = {
    ...last,
    content: images.length === 0 ? content : [...existingParts, ...images],
    attachments: [...(last.attachments ?? []), ...attachments],
  };
  return { messages: [...messages.slice(0, -1), withFiles], texts };
}

async function sourcesOf(
  { attachment, ...file }: TurnFile,
  { shared, store }: AttachOptions,
): Promise<AttachmentSource[]> {
  if (attachment === undefined) return shared.sources([file]);
  const { conversationId, refId, ...facts } = attachment;
  if (refId === undefined) return [{ ...facts, text: undefined }];
  const text = async (): Promise<string> => {
    const stored = await store.whole(conversationId, refId);
    if (stored === null) throw unknownAttachment();
    return stored;
  };
  return [{ ...facts, text }];
}

/** Returns excerpts of all attached texts by id, and the tool that reads the rest of them. */
export async function attachmentTools(
  messages: readonly ChatMessage[],
  texts: readonly AttachmentText[],
  { store, conversationId }: { store: AttachmentStore; conversationId: string | undefined },
): Promise<{ excerpts: ReadonlyMap<string, string>; tools: (() => Promise<Tool>)[] }> {
  const excerpts = new Map(texts.map(({ refId, excerpt }) => [refId, excerpt]));
  const fresh = new Map(texts.map(({ refId, text }) => [refId, text]));
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  const isStored = attachments.some(({ refId = '' }) => refId !== '' && !fresh.has(refId));
  if (isStored && conversationId !== undefined)
    for (const [refId, text] of await store.excerpts(conversationId)) excerpts.set(refId, text);
  const readable = attachments.flatMap(({ name, refId = '' }): ReadableAttachment[] => {
    const text = fresh.get(refId);
    if (text !== undefined) return [{ name, read: (part) => Promise.resolve(sliceOf(text, part)) }];
    if (conversationId === undefined || !excerpts.has(refId)) return [];
    return [{ name, read: (part) => store.slice(conversationId, refId, part) }];
  });
  const tool = readAttachmentTool(readable);
  return { excerpts, tools: readable.length === 0 ? [] : [() => Promise.resolve(tool)] };
}

const sliceOf = (
  text: string,
  { offset, limit }: { offset: number; limit: number },
): TextSlice => ({
  text: text.slice(offset, offset + limit),
  totalCharacters: text.length,
});

export const unknownAttachment = (): HostError =>
  new HostError('missing', 'unknown_attachment', msg('chat.attachmentGone'));
