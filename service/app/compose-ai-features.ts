import type { Route } from '../http/route.ts';
import type { TraceExport } from '../features/diagnostics/index.ts';
import { modelTools } from '../features/model-tools/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import type { AgentFeature } from '../features/agent/index.ts';
import type { ChatFeature } from '../features/chat/index.ts';
import type { ToolSource } from '../features/tools/index.ts';
import { composeAgent } from './compose-agent.ts';
import {
  type ToolCallServices,
  type ComposeToolCallsOptions,
  composeToolCalls,
} from './compose-tool-calls.ts';
import { backendOf, type ComposeChatOptions, composeChat, tokenCounter } from './compose-chat.ts';
import type { RunStreams } from './run-streams.ts';
import { composeSchedules } from './compose-schedules.ts';
import { composeWorkflows } from './compose-workflows.ts';

/** The features that tool calls, chat, agents, workflows and schedules depend on. */
export interface ComposeAiFeaturesOptions
  extends ComposeToolCallsOptions, Omit<ComposeChatOptions, 'calls' | 'streams' | 'workflows'> {
  streams: RunStreams;
  notifications: NotificationsFeature;
  traceOf?: TraceExport['traceOf'];
}

/** The AI features as one unit: their routes, start and end. */
export interface AiFeatures
  extends Pick<ToolCallServices, 'gateOf'>, Pick<ChatFeature, 'titles' | 'prompts'> {
  /** Ids of unended runs by the id of their host. */
  running: AgentFeature['service']['running'];
  routes: Route[];
  /** Starts the schedules, including those that are already due. */
  start(): void;
  /** Applies changes of another host to the table; `*` stands for any table. */
  tableChanged(table: string): Promise<void>;
  /** Closes the parts in reverse order of their creation, and waits for each. */
  close(): Promise<void>;
}

function modelToolsOf({ models, metrics, usage }: ComposeAiFeaturesOptions): ToolSource {
  return modelTools({
    mode: () => models.aiConfig.current()?.mode ?? null,
    backend: (model) => backendOf(models, model),
    tokensUsed: tokenCounter({ metrics, usage }),
  });
}

/** The features of models: tools with their call gate, chat, agents and workflows. */
export async function composeAiFeatures(options: ComposeAiFeaturesOptions): Promise<AiFeatures> {
  const { streams } = options;
  const { log, toolsChanged } = options.context;
  const calls = composeToolCalls(options);
  calls.tools.catalog.add(modelToolsOf(options));
  const agent = await composeAgent({ ...options, calls, streams: streams.agent });
  const workflows = composeWorkflows({ ...options, calls, agent });
  const chat = composeChat({ ...options, calls, streams: streams.chat, workflows: workflows });
  const schedules = await composeSchedules({ ...options, calls, agent, workflows });
  const parts = [calls, chat, agent, schedules];
  const offerChanged = (): void => toolsChanged.publish(undefined);
  options.plugins.host.changed.subscribe(offerChanged);
  workflows.workflowService.changed.subscribe(offerChanged);
  calls.tools.stopped.subscribe(({ owner, session, reason }) => {
    for (const id of new Set([owner, session])) {
      const ended = [chat.stopSession(id, reason), agent.service.stop(id, reason)];
      const onError = (error: unknown) => log.error('tools', 'What was stopped did not end', error);
      for (const one of ended) one.catch(onError);
    }
  });
  return {
    gateOf: calls.gateOf,
    titles: chat.titles,
    prompts: chat.prompts,
    routes: [...parts, workflows].flatMap(({ routes }) => routes),
    running: () => agent.service.running(),
    start() {
      schedules.start();
      agent.service
        .takeRuns()
        .catch((error: unknown) => log.error('agent', 'Runs of the cluster are not taken', error));
    },
    async tableChanged(table) {
      const isAbout = (name: string): boolean => table === name || table === '*';
      if (isAbout('schedules')) await schedules.reload();
      if (isAbout('workflows')) workflows.workflowService.changed.publish('');
    },
    async close() {
      for (const part of parts.toReversed()) await part.close();
    },
  };
}
