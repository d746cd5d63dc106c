import type { Route } from '../http/route.ts';
import type { TraceExport } from '../features/diagnostics/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import { createAgentParts } from './agent-parts.ts';
import { type CallParts, type CallPartsOptions, createCallParts } from './call-parts.ts';
import { type ChatPartsOptions, createChatParts } from './chat-parts.ts';
import type { RunStreams } from './run-streams.ts';
import { createScheduleParts } from './schedule-parts.ts';
import { createWorkflowParts } from './workflow-parts.ts';

export interface ActingPartsOptions
  extends CallPartsOptions, Omit<ChatPartsOptions, 'calls' | 'streams' | 'flows'> {
  streams: RunStreams;
  notifications: NotificationsFeature;
  traceOf?: TraceExport['traceOf'];
}

export interface ActingParts extends Pick<CallParts, 'gateOf'> {
  routes: Route[];
  /** From now on what is due begins. */
  start(): void;
  close(): Promise<void>;
}

/** What models do here: the tools with what judges their calls, the chat, agents and workflows. */
export async function createActingParts(options: ActingPartsOptions): Promise<ActingParts> {
  const { streams } = options;
  const { log, toolsChanged } = options.context;
  const calls = createCallParts(options);
  const agent = await createAgentParts({ ...options, calls, streams: streams.agent });
  const workflows = createWorkflowParts({ ...options, calls, agent });
  const chat = createChatParts({ ...options, calls, streams: streams.chat, flows: workflows });
  const schedules = await createScheduleParts({ ...options, calls, agent, workflows });
  const parts = [calls, chat, agent, schedules];
  const offerChanged = (): void => toolsChanged.publish(undefined);
  options.plugins.host.changed.subscribe(offerChanged);
  workflows.book.changed.subscribe(offerChanged);
  calls.tools.stopped.subscribe(({ owner, session, reason }) => {
    for (const id of new Set([owner, session])) {
      const ended = [chat.stopSession(id, reason), agent.desk.stop(id, reason)];
      const trouble = (error: unknown) => log.error('tools', 'What was stopped did not end', error);
      for (const one of ended) one.catch(trouble);
    }
  });
  return {
    gateOf: calls.gateOf,
    routes: [...parts, workflows].flatMap(({ routes }) => routes),
    start: () => schedules.start(),
    async close() {
      for (const part of parts.toReversed()) await part.close();
    },
  };
}
