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

/** Something that a person chose for the turn; one of the four says what. */
export const ChatFile = z.strictObject({
  name: z.string().max(300).optional(),
  refs: z.array(z.strictObject({ pluginId: z.string(), ...FileRef.shape })).optional(),
  nativePath: z.string().max(4_096).optional(),
  createSharedDirectory: z.boolean().optional(),
  uploadId: z.string().max(100).optional(),
});
export type ChatFile = z.output<typeof ChatFile>;

/** The same, or an attachment of an earlier message; its text is stored with that conversation. */
export const TurnFile = ChatFile.extend({
  attachment: z
    .strictObject({ conversationId: z.string().max(100), ...MessageAttachment.shape })
    .optional(),
});
export type TurnFile = z.output<typeof TurnFile>;

export const ActiveFileRef = z.object({ pluginId: z.string(), ...FileRef.shape });
export type ActiveFileRef = z.output<typeof ActiveFileRef>;

/** A resource of an MCP server that goes along with what a person says. */
export const ChatResource = z.strictObject({
  serverId: z.string().max(200),
  uri: ResourceUri,
  /** What it is shown as; default: its uri. */
  name: z.string().max(300).optional(),
});
export type ChatResource = z.output<typeof ChatResource>;

const saysSomething = ({ messages }: { messages: { role: string }[] }): boolean =>
  messages.at(-1)?.role === 'user';

export const ChatRequest = z
  .strictObject({
    /** All that the model is to see, the newest last; with `after` what comes behind those. */
    messages: z.array(ChatMessage).min(1).max(20_000),
    /** So many messages at the begin of the stored conversation are seen before these. Default: 0. */
    after: z.int().min(0).optional(),
    permissionMode: PermissionMode.optional(),
    workflowId: z.string().max(100).optional(),
    conversationId: z.string().max(100).optional(),
    files: z.array(TurnFile).max(100).optional(),
    /** The model of this turn. Default: that of the conversation, else the model in force. */
    model: ModelChoice.optional(),
    /** Read when the turn starts, and stored with what the person says. */
    resources: z.array(ChatResource).max(10).optional(),
    /**
     * What the person says becomes another version of the message at `index`, and is shown in its
     * place. Where it is the same message, its answer gets another version instead. Where the
     * conversation has another revision by now, nothing changes.
     */
    replaceFrom: z.strictObject({ index: z.int().min(0), revision: z.int() }).optional(),
  })
  .refine((request) => request.resources === undefined || saysSomething(request), {
    path: ['resources'],
    message: 'field.resourcesWithoutMessage',
  })
  .refine((request) => request.replaceFrom === undefined || saysSomething(request), {
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

/** What a person is told of a call that waits for a decision, in a chat as in a run. */
export const CallQuestion = z.object({
  tool: z.string(),
  effect: Effect,
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
  rule: z.string().optional(),
  /** The command of the line that decided. */
  segment: z.string().optional(),
  suggestedRules: z.array(z.string()),
  options: z.array(ApprovalDecision),
});
export type CallQuestion = z.output<typeof CallQuestion>;

/** What a person says to it. */
export const CallDecision = z.strictObject({
  decision: ApprovalDecision,
  /** Told instead of a result, with a rejection. */
  comment: z.string().max(4_000).optional(),
  /** With `allow_always`: what is stored instead of all that was suggested. */
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

/** A question of an MCP server, asked while one of its tools runs. */
export const ElicitationRequest = z.object({
  id: z.string(),
  server: z.string(),
  message: z.string(),
  /** Where the host asks in the name of the server. */
  text: HostMessage.optional(),
  /** A JSON Schema of an object with plain fields. */
  schema: z.record(z.string(), z.unknown()),
});
export type ElicitationRequest = z.output<typeof ElicitationRequest>;

export const Elicitation = z.strictObject({
  id: z.string().max(100),
  action: z.enum(['accept', 'decline', 'cancel']),
  /** With `accept`. */
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
  /** The same in the order in which it came, texts among the tools. */
  parts: z.array(AnswerPart),
  warnings: z.array(z.string()),
  /** One for each warning; null where others said it. */
  warningMessages: z.array(HostMessage.nullable()).optional(),
  /** The number of the last event that is in this: those after it follow from here. */
  sequence: z.int(),
  /** The revision of the conversation, once the turn has ended and all of it is stored. */
  revision: z.int().optional(),
  /** Beside `revision`: where the person's message and the answer stand in the conversation. */
  said: MessageVersion.optional(),
  answer: MessageVersion.optional(),
  pendingApproval: ApprovalRequest.optional(),
  pendingElicitation: ElicitationRequest.optional(),
  /** Why it ended in `error`. */
  message: z.string().optional(),
  errorMessage: HostMessage.optional(),
  /** Tokens of the turn so far; absent until the model server reports them. */
  usage: TokenUsage.optional(),
  cost: Cost.optional(),
  /** What is stored with an answer that was not finished. */
  outcome: MessageOutcome.optional(),
});
export type ChatTurn = z.output<typeof ChatTurn>;

/** About how much of its window a model would be given with the next message, in tokens. */
export const ContextSize = z.object({
  /** 0: not limited. */
  windowTokens: z.int(),
  /** All of the next three; above `compactsAtTokens` what is older is shortened for the model. */
  usedTokens: z.int(),
  systemTokens: z.int(),
  /** Names, descriptions and schemas of the tools. */
  toolTokens: z.int(),
  /** The conversation, with the texts of its attachments. */
  messageTokens: z.int(),
  compactsAtTokens: z.int(),
});
export type ContextSize = z.output<typeof ContextSize>;

/** The events of a chat stream. */
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
    /** It was this rule that let the call run, which the person gave elsewhere. */
    rule: z.string().optional(),
  }),
  elicitation_requested: ElicitationRequest,
  elicitation_decided: z.object({ id: z.string(), action: Elicitation.shape.action }),
  /** Something a person should know that stops nothing, such as a hook that failed. */
  warning: z.object({ message: z.string(), text: HostMessage.optional() }),
  done: z.object({
    text: z.string(),
    tokens: z.int(),
    /** Tokens a second while the model wrote. */
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
      /** With `files` or `resources`: the person's message with what they held, as it is stored. */
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
