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
/** Content of a resource of an MCP server when it was attached: text, or an image in base64. */
export const ResourcePart = z
  .object({
    type: z.literal('resource'),
    serverId: z.string().max(200),
    /** Name of the server. */
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

/**
 * A part of an answer, such as text, thinking or a tool call. Parts are in the order of their
 * arrival.
 */
export const AnswerPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    id: z.string(),
    name: z.string(),
    /** JSON text. */
    arguments: z.string(),
    /** Absent while the call runs. */
    success: z.boolean().optional(),
    output: z.string().optional(),
  }),
]);
export type AnswerPart = z.output<typeof AnswerPart>;

/** A file that was attached to a message. */
export const MessageAttachment = z.object({
  name: z.string().max(300),
  mimeType: z.string().max(200),
  sizeBytes: z.int().min(0),
  /** `other`: the model knows its name and size only. */
  kind: z.enum(['text', 'image', 'pdf', 'document', 'other']),
  /** Id of the text, which is stored with the conversation. */
  refId: z.string().max(100).optional(),
  /** Beginning of the text, for lists. */
  preview: z.string().max(400).optional(),
  /** Reason why the model does not receive the content; only for kind `other`. */
  problem: z.string().max(1_000).optional(),
  problemMessage: HostMessage.optional(),
});
export type MessageAttachment = z.output<typeof MessageAttachment>;

/** Reason why an answer is incomplete. */
export const MessageOutcome = z.object({
  /** `cancelled`: stopped by a person; `interrupted`: the host stopped meanwhile. */
  state: z.enum(['error', 'cancelled', 'interrupted']),
  message: z.string().optional(),
  text: HostMessage.optional(),
  /** Data that belongs to the message, such as the response of a model server. */
  details: z.string().max(20_000).optional(),
});
export type MessageOutcome = z.output<typeof MessageOutcome>;

export const ChatMessage = z.object({
  /** Unique within the conversation; the host assigns an id to each message that it stores. */
  id: z.string().min(1).max(36).optional(),
  role: z.enum(['system', 'user', 'assistant']),
  content: ChatContent,
  parts: z.array(AnswerPart).optional(),
  attachments: z.array(MessageAttachment).max(100).optional(),
  /** Model that wrote the answer. */
  model: ModelChoice.optional(),
  usage: TokenUsage.optional(),
  /** Calculated with the current prices; never stored. */
  cost: Cost.optional(),
  /** Absent for a complete answer. */
  outcome: MessageOutcome.optional(),
});
export type ChatMessage = z.output<typeof ChatMessage>;

/** Position of a stored message among the versions in its conversation. */
export const MessageVersion = z.object({
  id: z.string(),
  /** The preceding message; null for a first message. */
  parentId: z.string().nullable(),
  /** All versions of the message, including itself, in order of creation. */
  siblings: z.array(z.string()),
});
export type MessageVersion = z.output<typeof MessageVersion>;

export const ConversationMessage = ChatMessage.extend(MessageVersion.shape);
export type ConversationMessage = z.output<typeof ConversationMessage>;
