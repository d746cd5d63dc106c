import { z } from 'zod';
import { agentEvents } from './agent.ts';
import { chatEvents, ChatTurn } from './chat.ts';
import { endpoint, events, ticket, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { StreamTicket } from './notifications.ts';
import { RunEvent } from './runs.ts';

/** Output of a run that is not stored; only the end of a long one. */
export const UnstoredOutput = z.object({
  /** Plan so far, while it is drafted. */
  draft: z.string(),
  /** Part of the answer, while it is written. */
  answer: z.string().optional(),
  /** Progress of running steps. */
  progress: z.array(z.object({ index: z.int(), element: z.int().optional(), text: z.string() })),
  warnings: z.array(z.string()),
  /** One entry for each warning; null for texts that are not from the host. */
  warningMessages: z.array(HostMessage.nullable()).optional(),
});
export type UnstoredOutput = z.output<typeof UnstoredOutput>;

/** Each stored event is sent as `event`; `words` is sent once, after the earlier events. */
export const followedEvents = {
  event: RunEvent,
  words: UnstoredOutput,
  plan_token: agentEvents.plan_token,
  answer_token: agentEvents.answer_token,
  step_progress: agentEvents.step_progress,
  warning: agentEvents.warning,
} as const;

/** Number of an event within its turn, from 1; also the `id` of its frame. */
const Numbered = { sequence: z.int() };

/** Events of a turn, and the whole turn in place of events that are no longer stored. */
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

/** Streams of chat turns and agent runs; all except `turn` and `follow` can be read only once. */
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
      /**
       * Number of the last event that the client has; absent: `Last-Event-ID`, otherwise from the
       * first event.
       */
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
      /** The `sequence` of the last event that the client has; default: from the first event. */
      after: z.coerce.number().int().min(-1).max(2_147_483_647).default(-1),
    }),
    reply: events(followedEvents),
    problems: ['unknown_run'],
  }),
} as const;
