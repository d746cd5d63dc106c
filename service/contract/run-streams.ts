import { z } from 'zod';
import { agentEvents } from './agent.ts';
import { chatEvents } from './chat.ts';
import { endpoint, events, ticket, token } from './endpoint.ts';
import { StreamTicket } from './notifications.ts';

/** The single-use streams of chat turns and agent runs: how they are opened. */
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
} as const;
