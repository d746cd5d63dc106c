import type {
  ChatMessage,
  ChatRequest,
  ChatResource,
  ResourcePart,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { maxImageCharacters, shownImages } from '../../tools/index.ts';
import { shorten } from '../turn/shorten.ts';
import { maxResourceBytes } from './resource-parts.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** A piece of a resource as the server sent it: `text`, or `blob` in base64. */
export interface ResourcePiece {
  mimeType?: string | undefined;
  text?: string;
  blob?: string;
}

/** Reads resources of MCP servers. */
export interface ResourceSource {
  /** @throws HostError with a readable message, such as `unknown_resource`, `mcp_unavailable` */
  read(
    resource: { serverId: string; uri: string },
    signal: AbortSignal,
  ): Promise<{ server: string; pieces: ResourcePiece[] }>;
}

const maxPieces = 20;
const maxImagesCharacters = 3 * maxImageCharacters;

/**
 * Reads the resources of a request into its last message.
 * @throws HostError `unsupported_resource`, `resource_too_large`, and errors of the source
 */
export async function withResources(
  { messages, resources = [] }: ChatRequest,
  source: ResourceSource,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const last = messages.at(-1);
  if (last === undefined || resources.length === 0) return [...messages];
  const read = await Promise.all(
    resources.map(async (one) => partsOf(one, await source.read(one, signal))),
  );
  const parts = read.flat();
  const size = parts.reduce((sum, { data = '' }) => sum + data.length, 0);
  if (size > maxImagesCharacters)
    throw tooLarge(msg('chat.imagesTooLarge', { limit: mebibytes(maxImagesCharacters) }));
  const existingParts =
    typeof last.content === 'string'
      ? [{ type: 'text' as const, text: last.content }]
      : last.content;
  return [...messages.slice(0, -1), { ...last, content: [...existingParts, ...parts] }];
}

function partsOf(
  { serverId, uri, name = uri.slice(0, 300) }: ChatResource,
  { server, pieces }: { server: string; pieces: ResourcePiece[] },
): ResourcePart[] {
  if (pieces.length === 0) throw unsupported(msg('chat.resourceEmpty', { name }));
  if (pieces.length > maxPieces)
    throw unsupported(msg('chat.resourceTooManyPieces', { name, limit: maxPieces }));
  const texts = pieces.filter(({ text }) => text !== undefined).length;
  return pieces.map((piece) => ({
    type: 'resource',
    serverId,
    server,
    uri,
    name,
    ...held(piece, name, Math.floor(maxResourceBytes / Math.max(1, texts))),
  }));
}

function held(
  { text, blob = '', mimeType = '' }: ResourcePiece,
  name: string,
  maxTextBytes: number,
): Pick<ResourcePart, 'text' | 'data' | 'mimeType'> {
  const shortType = mimeType.slice(0, 200);
  if (text !== undefined)
    return {
      text: shorten(text.toWellFormed(), maxTextBytes),
      ...(shortType === '' ? {} : { mimeType: shortType }),
    };
  const type = shortType.toLowerCase();
  if (!shownImages.has(type))
    throw unsupported(
      type === ''
        ? msg('chat.resourceUntyped', { name })
        : msg('chat.resourceType', { name, type }),
    );
  if (blob.length > maxImageCharacters)
    throw tooLarge(msg('chat.imageTooLarge', { name, limit: mebibytes(maxImageCharacters) }));
  return { mimeType: type, data: blob };
}

const unsupported = (text: Message): HostError =>
  new HostError('unprocessable', 'unsupported_resource', text);

const tooLarge = (text: Message): HostError =>
  new HostError('too-large', 'resource_too_large', text);

/** Mebibytes encoded by that many base64 characters. */
const mebibytes = (characters: number): number => Math.floor((characters * 3) / 4 / 1024 ** 2);
