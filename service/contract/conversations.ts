import { z } from 'zod';
import { ChatMessage, ConversationMessage } from './chat.ts';
import { ModelChoice } from './ai-config.ts';
import { bytes, endpoint, token } from './endpoint.ts';

const SystemPrompt = z.string().trim().max(100_000);
const Temperature = z.number().min(0).max(2);
/** Name of a tool; `*` matches any characters. */
const ToolPattern = z.string().trim().min(1).max(200);
const ToolPatterns = z.array(ToolPattern).max(1_000);

/** Settings for each turn of a conversation. */
export const ConversationSettings = z.object({
  /** Added after the host's own instructions to the model. */
  systemPrompt: SystemPrompt.optional(),
  temperature: Temperature.optional(),
  /** Default: the active model. */
  model: ModelChoice.optional(),
  /** Tools that the model does not receive. */
  disabledTools: ToolPatterns.optional(),
});
export type ConversationSettings = z.output<typeof ConversationSettings>;

const Folder = z.string().trim().max(200);

/** Null removes a value; so does an empty text or list. */
export const ConversationChange = z
  .strictObject({
    title: z.string().trim().min(1).max(300).optional(),
    folder: Folder.nullable().optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    systemPrompt: SystemPrompt.nullable().optional(),
    temperature: Temperature.nullable().optional(),
    model: ModelChoice.nullable().optional(),
    disabledTools: ToolPatterns.nullable().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'field.changesNothing',
  });
export type ConversationChange = z.output<typeof ConversationChange>;

export const ConversationSummary = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  messageCount: z.int(),
  folder: z.string().optional(),
  pinned: z.boolean(),
  /** Omitted from the list by default. */
  archived: z.boolean(),
  /** The running turn. */
  activeStreamId: z.string().optional(),
});
export type ConversationSummary = z.output<typeof ConversationSummary>;

export const Conversation = ConversationSummary.extend({
  ...ConversationSettings.shape,
  /** Conversation that this one was branched from. */
  parentId: z.string().optional(),
  /** Incremented by every change of title or messages. */
  revision: z.int(),
  /** Index of the first message in `messages`. */
  firstIndex: z.int(),
  messages: z.array(ConversationMessage),
});
export type Conversation = z.output<typeof Conversation>;

const Messages = z.array(ChatMessage).max(100_000);
const Title = z.string().trim().max(300);
const ById = z.object({ id: z.string().max(100) });
const bodyBytes = 64 * 1024 * 1024;
const count = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'field.notDigits')
    .transform(Number)
    .pipe(z.number().max(max));

export const conversations = {
  list: endpoint({
    method: 'GET',
    path: '/api/ai/conversations',
    access: token,
    summary:
      'Conversations, the one changed last first; q searches titles and texts. Archived ones are left out unless archived is true or all; an empty folder means those in none',
    query: z.object({
      q: z.string().max(1_000).optional(),
      limit: count(10_000).optional(),
      before: z.string().max(100).optional(),
      folder: Folder.optional(),
      archived: z.enum(['true', 'false', 'all']).optional(),
      pinned: z.enum(['true', 'false']).optional(),
    }),
    reply: z.array(ConversationSummary),
  }),
  folders: endpoint({
    method: 'GET',
    path: '/api/ai/conversation-folders',
    access: token,
    summary: 'The folders of conversations that are not archived, by name',
    reply: z.array(z.object({ name: z.string(), conversations: z.int() })),
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/ai/conversations/{id}',
    access: token,
    summary: 'One conversation; with limit the last messages, before pages back by index',
    params: ById,
    query: z.object({
      limit: count(100_000).optional(),
      before: count(1_000_000_000).optional(),
    }),
    reply: Conversation,
    problems: ['unknown_conversation'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/ai/conversations',
    access: token,
    summary: 'Store a conversation; without a title its first words are it',
    body: z.strictObject({ title: Title.default(''), messages: Messages.default([]) }),
    maxBodyBytes: bodyBytes,
    reply: Conversation,
    status: 201,
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/api/ai/conversations/{id}',
    access: token,
    summary:
      'Replace a conversation; with an old revision nothing is stored. Messages keep their ids',
    params: ById,
    body: z.strictObject({ title: Title, messages: Messages, revision: z.int().optional() }),
    maxBodyBytes: bodyBytes,
    reply: Conversation,
    problems: ['unknown_conversation', 'stale_revision', 'turn_running'],
  }),
  select: endpoint({
    method: 'POST',
    path: '/api/ai/conversations/{id}/select',
    access: token,
    summary: 'Show another version of a message, with what followed it',
    params: ById,
    query: z.object({ limit: count(100_000).optional() }),
    body: z.strictObject({ messageId: z.string().max(100) }),
    reply: Conversation,
    problems: ['unknown_conversation', 'unknown_message', 'turn_running'],
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/ai/conversations/{id}/versions',
    access: token,
    summary:
      'All messages of a conversation: those that are visible, and the versions that are not',
    params: ById,
    reply: z.array(
      ChatMessage.omit({ id: true }).extend({
        id: z.string(),
        parentId: z.string().nullable(),
        visible: z.boolean(),
      }),
    ),
    problems: ['unknown_conversation'],
  }),
  attachment: endpoint({
    method: 'GET',
    path: '/api/ai/conversations/{id}/attachments/{refId}',
    access: token,
    summary: 'The text of an attached file as the model gets it with its message',
    params: ById.extend({ refId: z.string().max(100) }),
    reply: z.object({
      /**
       * For a long file: its beginning and end, with the number of omitted characters between them.
       */
      excerpt: z.string(),
      /** Length of the whole text, which `read_attachment` reads. */
      totalCharacters: z.int(),
    }),
    problems: ['unknown_conversation', 'unknown_attachment'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/ai/conversations/{id}',
    access: token,
    summary:
      'Change the title, the folder or the settings of a conversation; its messages stay as they are',
    params: ById,
    body: ConversationChange,
    reply: ConversationSummary.extend({
      ...ConversationSettings.shape,
      revision: Conversation.shape.revision,
    }),
    problems: ['unknown_conversation', 'unknown_provider'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/ai/conversations/{id}',
    access: token,
    summary: 'Remove a conversation; a turn of it is cancelled',
    params: ById,
    problems: ['unknown_conversation'],
  }),
  fork: endpoint({
    method: 'POST',
    path: '/api/ai/conversations/{id}/fork',
    access: token,
    summary: 'A new conversation with the messages up to and with that one',
    params: ById,
    body: z.strictObject({ messageIndex: z.int().min(0) }),
    reply: Conversation,
    status: 201,
    problems: ['unknown_conversation', 'unknown_message'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/ai/conversations/{id}/export',
    access: token,
    summary: 'The conversation as a Markdown or JSON document',
    params: ById,
    query: z.object({ format: z.enum(['markdown', 'json']).default('markdown') }),
    reply: bytes('text/markdown'),
    problems: ['unknown_conversation'],
  }),
} as const;
