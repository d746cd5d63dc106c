import { z } from 'zod';
import {
  AnswerPart,
  ChatMessage,
  MessageAttachment,
  MessageOutcome,
  MessageVersion,
  ResourceUri,
} from './chat-messages.ts';
import { ModelChoice } from './ai-config.ts';
import { endpoint, multipartFiles, token } from './endpoint.ts';
import { FileRef } from './files.ts';
import { Effect } from './manifest.ts';
import { PermissionMode } from './settings.ts';
import { HostMessage } from './host-message.ts';
import { Cost, TokenUsage } from './usage.ts';

export * from './chat-messages.ts';

/** A file that a person attached; exactly one of the four sources is set. */
export const ChatFile = z.strictObject({
  name: z.string().max(300).optional(),
  refs: z.array(z.strictObject({ pluginId: z.string(), ...FileRef.shape })).optional(),
  nativePath: z.string().max(4_096).optional(),
  createSharedDirectory: z.boolean().optional(),
  uploadId: z.string().max(100).optional(),
});
export type ChatFile = z.output<typeof ChatFile>;

/** A file, or an attachment of an earlier message, whose text is stored with that conversation. */
export const TurnFile = ChatFile.extend({
  attachment: z
    .strictObject({ conversationId: z.string().max(100), ...MessageAttachment.shape })
    .optional(),
});
export type TurnFile = z.output<typeof TurnFile>;

export const ActiveFileRef = z.object({ pluginId: z.string(), ...FileRef.shape });
export type ActiveFileRef = z.output<typeof ActiveFileRef>;

/** A resource of an MCP server that is attached to the message. */
export const ChatResource = z.strictObject({
  serverId: z.string().max(200),
  uri: ResourceUri,
  /** Display name. Default: the URI. */
  name: z.string().max(300).optional(),
});
export type ChatResource = z.output<typeof ChatResource>;

const endsWithUserMessage = ({ messages }: { messages: { role: string }[] }): boolean =>
  messages.at(-1)?.role === 'user';

export const ChatRequest = z
  .strictObject({
    /**
     * Everything the model sees, newest last; with `after`, only the messages that follow those.
     */
    messages: z.array(ChatMessage).min(1).max(20_000),
    /**
     * Number of messages at the start of the stored conversation that the model sees first.
     * Default: 0.
     */
    after: z.int().min(0).optional(),
    permissionMode: PermissionMode.optional(),
    workflowId: z.string().max(100).optional(),
    conversationId: z.string().max(100).optional(),
    files: z.array(TurnFile).max(100).optional(),
    /** Model of this turn. Default: the model of the conversation, otherwise the active model. */
    model: ModelChoice.optional(),
    /** Read when the turn starts, and stored with the person's message. */
    resources: z.array(ChatResource).max(10).optional(),
    /**
     * The new message becomes another version of the message at `index` and is displayed instead of
     * it. If both are the same, only the answer gets another version. If the conversation has
     * another revision by now, nothing changes.
     */
    replaceFrom: z.strictObject({ index: z.int().min(0), revision: z.int() }).optional(),
  })
  .refine((request) => request.resources === undefined || endsWithUserMessage(request), {
    path: ['resources'],
    message: 'field.resourcesWithoutMessage',
  })
  .refine((request) => request.replaceFrom === undefined || endsWithUserMessage(request), {
    path: ['replaceFrom'],
    message: 'field.userMessageLast',
  })
  .refine(
    ({ replaceFrom, conversationId }) => replaceFrom === undefined || conversationId !== undefined,
    { path: ['replaceFrom'], message: 'field.conversationNeeded' },
  )
  .refine(({ after, conversationId }) => after === undefined || conversationId !== undefined, {
    path: ['after'],
    message: 'field.conversationNeeded',
  });
export type ChatRequest = z.output<typeof ChatRequest>;

export const ApprovalDecision = z.enum(['allow_once', 'allow_session', 'allow_always', 'reject']);
export type ApprovalDecision = z.output<typeof ApprovalDecision>;

/** Details of a call that needs a decision, for chats and runs. */
export const CallQuestion = z.object({
  tool: z.string(),
  effect: Effect,
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
  rule: z.string().optional(),
  /** The command of the command line that caused the decision. */
  segment: z.string().optional(),
  suggestedRules: z.array(z.string()),
  options: z.array(ApprovalDecision),
});
export type CallQuestion = z.output<typeof CallQuestion>;

/** A person's decision about a call. */
export const CallDecision = z.strictObject({
  decision: ApprovalDecision,
  /** With a rejection: sent to the model as the result of the call. */
  comment: z.string().max(4_000).optional(),
  /** With `allow_always`: rules that are stored instead of the suggested ones. */
  rules: z.array(z.string().min(1).max(2_000)).max(100).optional(),
});

export const ApprovalRequest = CallQuestion.extend({
  callId: z.string(),
  /** JSON text. */
  arguments: z.string(),
});
export type ApprovalRequest = z.output<typeof ApprovalRequest>;

export const Approval = CallDecision.extend({ callId: z.string() });
export type Approval = z.output<typeof Approval>;

/** A question of an MCP server while one of its tools runs. */
export const ElicitationRequest = z.object({
  id: z.string(),
  server: z.string(),
  message: z.string(),
  /** Set if the host asks on behalf of the server. */
  text: HostMessage.optional(),
  /** A JSON Schema of an object with plain fields. */
  schema: z.record(z.string(), z.unknown()),
});
export type ElicitationRequest = z.output<typeof ElicitationRequest>;

export const Elicitation = z.strictObject({
  id: z.string().max(100),
  action: z.enum(['accept', 'decline', 'cancel']),
  /** Only with `accept`. */
  content: z
    .record(
      z.string().max(1_000),
      z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(10_000))]),
    )
    .optional(),
});
export type Elicitation = z.output<typeof Elicitation>;

export const TurnState = z.enum(['running', 'awaiting_approval', 'done', 'error', 'cancelled']);

export const ChatTurn = z.object({
  streamId: z.string(),
  conversationId: z.string().optional(),
  state: TurnState,
  text: z.string(),
  thinking: z.string(),
  tools: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      arguments: z.string(),
      success: z.boolean().optional(),
      output: z.string().optional(),
    }),
  ),
  /** The same content in the order of its arrival, with text between the tool calls. */
  parts: z.array(AnswerPart),
  warnings: z.array(z.string()),
  /** One entry for each warning; null for texts that are not from the host. */
  warningMessages: z.array(HostMessage.nullable()).optional(),
  /** Number of the last event that this includes; later events continue from here. */
  sequence: z.int(),
  /** Revision of the conversation, once the turn has ended and is stored. */
  revision: z.int().optional(),
  /** With `revision`: position of the person's message and of the answer in the conversation. */
  said: MessageVersion.optional(),
  answer: MessageVersion.optional(),
  pendingApproval: ApprovalRequest.optional(),
  pendingElicitation: ElicitationRequest.optional(),
  /** Reason for the state `error`. */
  message: z.string().optional(),
  errorMessage: HostMessage.optional(),
  /** Tokens of the turn so far; absent until the model server reports them. */
  usage: TokenUsage.optional(),
  cost: Cost.optional(),
  /** Stored with an incomplete answer. */
  outcome: MessageOutcome.optional(),
});
export type ChatTurn = z.output<typeof ChatTurn>;

/** Estimated tokens of the context window that the next message uses. */
export const ContextSize = z.object({
  /** 0: no limit. */
  windowTokens: z.int(),
  /**
   * Sum of the next three. Above `compactsAtTokens`, older messages are shortened for the model.
   */
  usedTokens: z.int(),
  systemTokens: z.int(),
  /** Names, descriptions and schemas of the tools. */
  toolTokens: z.int(),
  /** Conversation, including the texts of attachments. */
  messageTokens: z.int(),
  compactsAtTokens: z.int(),
});
export type ContextSize = z.output<typeof ContextSize>;

/** Events of a chat stream. */
export const chatEvents = {
  token: z.object({ text: z.string() }),
  thinking: z.object({ text: z.string() }),
  tool: z.discriminatedUnion('phase', [
    z.object({
      phase: z.literal('call'),
      id: z.string(),
      name: z.string(),
      arguments: z.string(),
    }),
    z.object({ phase: z.literal('progress'), id: z.string(), text: z.string() }),
    z.object({
      phase: z.literal('result'),
      id: z.string(),
      name: z.string(),
      success: z.boolean(),
      output: z.string(),
    }),
  ]),
  approval_requested: ApprovalRequest,
  approval_decided: z.object({
    callId: z.string(),
    decision: ApprovalDecision,
    /** Rule that allowed the call, if it was created elsewhere while the call waited. */
    rule: z.string().optional(),
  }),
  elicitation_requested: ElicitationRequest,
  elicitation_decided: z.object({ id: z.string(), action: Elicitation.shape.action }),
  /** A problem that does not stop the turn, such as a failed hook. */
  warning: z.object({ message: z.string(), text: HostMessage.optional() }),
  done: z.object({
    text: z.string(),
    tokens: z.int(),
    /** Tokens per second while the model wrote. */
    tps: z.number(),
    usage: TokenUsage,
    cost: Cost.optional(),
  }),
} as const;

const chatBodyBytes = 64 * 1024 * 1024;
const ByStream = z.object({ streamId: z.string().max(100) });

export const chat = {
  start: endpoint({
    method: 'POST',
    path: '/api/ai/chat',
    access: token,
    summary: 'Start a turn; its events come on the stream',
    body: ChatRequest,
    maxBodyBytes: chatBodyBytes,
    reply: z.object({
      streamId: z.string(),
      activeFileRefs: z.array(ActiveFileRef),
      /** With `files` or `resources`: the person's message with their contents, as stored. */
      said: ChatMessage.extend(MessageVersion.partial().shape).optional(),
    }),
    problems: [
      'model_not_ready',
      'unknown_provider',
      'unknown_conversation',
      'unknown_workflow',
      'turn_running',
      'too_many_turns',
      'unknown_upload',
      'unknown_grant',
      'unknown_attachment',
      'desktop_only',
      'not_chosen',
      'stale_revision',
      'unknown_message',
      'unknown_server',
      'unknown_resource',
      'unsupported_resource',
      'resource_too_large',
      'mcp_unavailable',
      'mcp_failed',
      'mcp_timeout',
      'mcp_disabled',
      'mcp_needs_auth',
    ],
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/ai/chat/{streamId}',
    access: token,
    summary: 'All of a turn so far; kept for ten minutes after its end',
    params: ByStream,
    reply: ChatTurn,
    problems: ['unknown_stream'],
  }),
  context: endpoint({
    method: 'GET',
    path: '/api/ai/context',
    access: token,
    summary:
      'How much of its window a model would be given of a conversation, with all that goes along',
    query: z.object({
      conversationId: z.string().max(100).optional(),
      workflowId: z.string().max(100).optional(),
      permissionMode: PermissionMode.optional(),
    }),
    reply: ContextSize,
    problems: ['unknown_conversation', 'unknown_workflow'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/ai/chat/{streamId}/approve',
    access: token,
    summary: 'Decide over the tool call that waits',
    params: ByStream,
    body: Approval,
    reply: ChatTurn,
    problems: ['unknown_stream', 'nothing_waits', 'not_an_option', 'invalid_rules'],
  }),
  elicit: endpoint({
    method: 'POST',
    path: '/api/ai/chat/{streamId}/elicit',
    access: token,
    summary: 'Answer the question of an MCP server that waits',
    params: ByStream,
    body: Elicitation,
    reply: ChatTurn,
    problems: ['unknown_stream', 'nothing_waits'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/ai/chat/{streamId}/cancel',
    access: token,
    summary: 'End the turn; what was said so far stays',
    params: ByStream,
    reply: ChatTurn,
    problems: ['unknown_stream'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/files',
    access: token,
    summary: 'Bring a file or a directory for chat and agents; paths[] say where each file lies',
    body: multipartFiles('files', z.object({ 'paths[]': z.array(z.string()).optional() })),
    reply: z.object({
      uploadId: z.string(),
      name: z.string(),
      kind: z.enum(['file', 'directory']),
      size: z.int(),
    }),
    status: 201,
    problems: ['invalid_paths'],
  }),
} as const;
