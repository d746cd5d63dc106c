import type { Route } from '../http/route.ts';
import { type CallParts, type CallPartsOptions, createCallParts } from './call-parts.ts';
import { type ChatPartsOptions, createChatParts } from './chat-parts.ts';
import type { RunStreams } from './run-streams.ts';

export interface ActingPartsOptions
  extends CallPartsOptions, Omit<ChatPartsOptions, 'calls' | 'streams'> {
  streams: RunStreams;
}

export interface ActingParts extends Pick<CallParts, 'gateOf'> {
  routes: Route[];
  close(): Promise<void>;
}

/** What models do here: the tools with what judges their calls, and the chat. */
export function createActingParts(options: ActingPartsOptions): ActingParts {
  const { streams } = options;
  const calls = createCallParts(options);
  const chat = createChatParts({ ...options, calls, streams: streams.chat });
  const parts = [calls, chat];
  return {
    gateOf: calls.gateOf,
    routes: parts.flatMap(({ routes }) => routes),
    async close() {
      for (const part of parts.toReversed()) await part.close();
    },
  };
}
