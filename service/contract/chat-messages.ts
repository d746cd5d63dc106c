import { z } from 'zod';

const imageType = /^image\/[\w.+-]+$/;
const isImageType = (type: string): boolean => imageType.test(type);

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export const ImagePart = z.object({
  type: z.literal('image'),
  mimeType: z.string().regex(imageType, 'must be a type of image'),
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
    message: 'must hold either text or data',
  })
  .refine(({ data, mimeType = '' }) => data === undefined || isImageType(mimeType), {
    path: ['mimeType'],
    message: 'must be a type of image beside data',
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

export const ChatMessage = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: ChatContent,
  parts: z.array(AnswerPart).optional(),
});
export type ChatMessage = z.output<typeof ChatMessage>;
