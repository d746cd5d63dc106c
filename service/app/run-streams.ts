import { api } from '../contract/index.ts';
import type { TicketRegistry } from '../http/access.ts';
import { type Route, route } from '../http/route.ts';
import { SingleUseStreams } from '../http/single-use-streams.ts';

/** The event streams of chat turns and agent runs, each with a single reader. */
export interface RunStreams {
  chat: SingleUseStreams;
  agent: SingleUseStreams;
  routes: Route[];
}

/** Creates the streams of chat turns and agent runs, and the routes that open them. */
export function createRunStreams(tickets: TicketRegistry): RunStreams {
  const chat = new SingleUseStreams();
  const agent = new SingleUseStreams();
  const routes = [
    route(api.runStreams.chatTicket, () => tickets.mint('chat')),
    route(api.runStreams.chat, ({ query }) => chat.open(query.streamId)),
    route(api.runStreams.agentTicket, () => tickets.mint('agent')),
    route(api.runStreams.agent, ({ query }) => agent.open(query.runId)),
  ];
  return { chat, agent, routes };
}
