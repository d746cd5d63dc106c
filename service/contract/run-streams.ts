import { z } from 'zod';
import { agentEvents } from './agent.ts';
import { chatEvents, ChatTurn } from './chat.ts';
import { endpoint, events, ticket, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { StreamTicket } from './notifications.ts';
import { RunEvent } from './runs.ts';

/** What a run has said without storing it: the end of it, where it is long. */
export const UnstoredOutput = z.object({
  /** Of its plan, while it is drafted. */
  draft: z.string(),
  /** Part of the answer in words, while it is written. */
  answer: z.string().optional(),
  /** Of its steps that run. */
  progress: z.array(z.object({ index: z.int(), element: z.int().optional(), text: z.string() })),
  warnings: z.array(z.string()),
  /** As many: null where others said it. */
  warningMessages: z.array(HostMessage.nullable()).optional(),
});
export type UnstoredOutput = z.output<typeof UnstoredOutput>;

/** Everything that is stored is an `event`; `words` comes once, when those before it were sent. */
export const followedEvents = {
  event: RunEvent,
  words: UnstoredOutput,
  plan_token: agentEvents.plan_token,
  answer_token: agentEvents.answer_token,
  step_progress: agentEvents.step_progress,
  warning: agentEvents.warning,
} as const;

/** The number of an event within its turn, from 1; `id` of its frame as well. */
const Numbered = { sequence: z.int() };

/** The events of a turn, and the whole turn in place of events that are no longer stored. */
export const turnEvents = {
  token: chatEvents.token.extend(Numbered),
  thinking: chatEvents.thinking.extend(Numbered),
  tool: z.discriminatedUnion('phase', [
    chatEvents.tool.options[0].extend(Numbered),
    chatEvents.tool.options[1].extend(Numbered),
    chatEvents.tool.options[2].extend(Numbered),
  ]),
  approval_requested: chatEvents.approval_requested.extend(Numbered),
  approval_decided: chatEvents.approval_decided.extend(Numbered),
  elicitation_requested: chatEvents.elicitation_requested.extend(Numbered),
  elicitation_decided: chatEvents.elicitation_decided.extend(Numbered),
  warning: chatEvents.warning.extend(Numbered),
  done: chatEvents.done.extend(Numbered),
  snapshot: ChatTurn,
} as const;

/** The streams of chat turns and agent runs; all but `turn` and `follow` are read once. */
export const runStreams = {
  chatTicket: endpoint({
    method: 'POST',
    path: '/api/ai/stream-ticket',
    access: token,
    summary: 'A one-time ticket for a chat stream',
    reply: StreamTicket,
  }),
  chat: endpoint({
    method: 'GET',
    path: '/api/ai/stream',
    access: ticket('chat', { orToken: true }),
    summary: 'The events of one chat turn',
    query: z.object({ streamId: z.string().max(100) }),
    reply: events(chatEvents),
    problems: ['unknown_stream', 'stream_used'],
  }),
  turn: endpoint({
    method: 'GET',
    path: '/api/ai/chat/{streamId}/events',
    access: token,
    summary:
      'The numbered events of a turn after a given one, and what happens, for any number of readers',
    params: z.object({ streamId: z.string().max(100) }),
    query: z.object({
      /** The number of the last event that is known; absent: `Last-Event-ID`, else from the first one. */
      after: z.coerce.number().int().min(-1).max(2_147_483_647).optional(),
    }),
    reply: events(turnEvents),
    problems: ['unknown_stream'],
  }),
  agentTicket: endpoint({
    method: 'POST',
    path: '/api/agent/stream-ticket',
    access: token,
    summary: 'A one-time ticket for an agent stream',
    reply: StreamTicket,
  }),
  agent: endpoint({
    method: 'GET',
    path: '/api/agent/stream',
    access: ticket('agent', { orToken: true }),
    summary: 'The events of one agent run',
    query: z.object({ runId: z.string().max(100) }),
    reply: events(agentEvents),
    problems: ['unknown_stream', 'stream_used'],
  }),
  follow: endpoint({
    method: 'GET',
    path: '/api/agent/runs/{runId}/events/stream',
    access: token,
    summary: 'The events of a run after a given one, and what happens, for any number of readers',
    params: z.object({ runId: z.string().max(100) }),
    query: z.object({
      /** The `sequence` of the last event that is known; absent: from the first one. */
      after: z.coerce.number().int().min(-1).max(2_147_483_647).default(-1),
    }),
    reply: events(followedEvents),
    problems: ['unknown_run'],
  }),
} as const;
