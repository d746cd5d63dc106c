import { z } from 'zod';
import { ModelChoice } from './ai-config.ts';
import { HostMessage } from './host-message.ts';
import { Cost, TokenUsage } from './usage.ts';

const imageType = /^image\/[\w.+-]+$/;
const isImageType = (type: string): boolean => imageType.test(type);

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export const ImagePart = z.object({
  type: z.literal('image'),
  mimeType: z.string().regex(imageType, 'field.imageType'),
  /** Base64. */
  data: z.string(),
});
/** The address of a resource. */
export const ResourceUri = z.string().min(1).max(8_192);
/** What an MCP server held when a person attached it: a text, or an image in base64. */
export const ResourcePart = z
  .object({
    type: z.literal('resource'),
    serverId: z.string().max(200),
    /** The name of the server. */
    server: z.string().max(200),
    uri: ResourceUri,
    name: z.string().max(300),
    mimeType: z.string().max(200).optional(),
    text: z.string().optional(),
    data: z.string().optional(),
  })
  .refine(({ text, data }) => (text === undefined) !== (data === undefined), {
    message: 'field.textOrData',
  })
  .refine(({ data, mimeType = '' }) => data === undefined || isImageType(mimeType), {
    path: ['mimeType'],
    message: 'field.imageTypeWithData',
  });
export type ResourcePart = z.output<typeof ResourcePart>;
export const ChatContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [TextPart, ImagePart, ResourcePart])),
]);
export type ChatContent = z.output<typeof ChatContent>;

/** What an answer was made of beside its text, in the order in which it came. */
export const AnswerPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    id: z.string(),
    name: z.string(),
    /** JSON text. */
    arguments: z.string(),
    /** Absent while it runs. */
    success: z.boolean().optional(),
    output: z.string().optional(),
  }),
]);
export type AnswerPart = z.output<typeof AnswerPart>;

/** A file that a person shared with a message. */
export const MessageAttachment = z.object({
  name: z.string().max(300),
  mimeType: z.string().max(200),
  sizeBytes: z.int().min(0),
  /** `other`: the model knows its name and size only. */
  kind: z.enum(['text', 'image', 'pdf', 'document', 'other']),
  /** Its text is stored with the conversation under this id. */
  refId: z.string().max(100).optional(),
  /** The beginning of its text, for whoever lists it. */
  preview: z.string().max(400).optional(),
  /** Why the model does not get the content; of kind `other` only. */
  problem: z.string().max(1_000).optional(),
  problemMessage: HostMessage.optional(),
});
export type MessageAttachment = z.output<typeof MessageAttachment>;

/** Why an answer ended before the model had finished it. */
export const MessageOutcome = z.object({
  /** `cancelled`: a person stopped it; `interrupted`: the host ended meanwhile. */
  state: z.enum(['error', 'cancelled', 'interrupted']),
  message: z.string().optional(),
  text: HostMessage.optional(),
  /** Data beside the message, such as what a model server answered. */
  details: z.string().max(20_000).optional(),
});
export type MessageOutcome = z.output<typeof MessageOutcome>;

export const ChatMessage = z.object({
  /** Unique within its conversation; the host gives one to each message that it stores. */
  id: z.string().min(1).max(36).optional(),
  role: z.enum(['system', 'user', 'assistant']),
  content: ChatContent,
  parts: z.array(AnswerPart).optional(),
  attachments: z.array(MessageAttachment).max(100).optional(),
  /** The model that gave the answer. */
  model: ModelChoice.optional(),
  usage: TokenUsage.optional(),
  /** By the prices as they are now; never stored. */
  cost: Cost.optional(),
  /** Absent where an answer was finished. */
  outcome: MessageOutcome.optional(),
});
export type ChatMessage = z.output<typeof ChatMessage>;

/** Where a stored message stands among the versions of its conversation. */
export const MessageVersion = z.object({
  id: z.string(),
  /** The message that it follows; null for a first one. */
  parentId: z.string().nullable(),
  /** All versions of the message, itself among them, in the order of their creation. */
  siblings: z.array(z.string()),
});
export type MessageVersion = z.output<typeof MessageVersion>;

export const ConversationMessage = ChatMessage.extend(MessageVersion.shape);
export type ConversationMessage = z.output<typeof ConversationMessage>;
