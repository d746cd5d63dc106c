import type { Gate } from '../contract/index.ts';
import { type AgentFeature, createAgent, type RunRow } from '../features/agent/index.ts';
import type { Metrics, TraceExport } from '../features/diagnostics/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { SingleUseStreams } from '../http/single-use-streams.ts';
import type { Database } from '../platform/database/database.ts';
import type { Isolation } from '../platform/isolation/isolation.ts';
import type { AppContext } from './app-context.ts';
import type { CallParts } from './call-parts.ts';
import { backendOf, refuseBadRules, tokenCounter } from './chat-parts.ts';

export interface AgentPartsOptions {
  context: AppContext;
  database: Database;
  settings: SettingsFeature;
  models: ModelsFeature;
  isolation: Isolation;
  plugins: PluginsFeature;
  notifications: NotificationsFeature;
  calls: CallParts;
  streams: SingleUseStreams;
  metrics: Metrics;
  traceOf?: TraceExport['traceOf'];
}

/** Runs of agents, and who hears of their end: the metrics, the notifications, hooks. */
export function createAgentParts(options: AgentPartsOptions): Promise<AgentFeature> {
  const { context, database, settings, models, isolation, plugins, calls, streams } = options;
  return createAgent({
    ...{ database, streams, log: context.log, gate: calls.gate, checkRules: refuseBadRules },
    defaultMode: () => settings.book.values.permissionMode,
    backend: (model) => backendOf(models, model),
    posture: async () => {
      const { sandboxed, unsandboxedPlugins } = await isolation.report();
      return sandboxed && !unsandboxedPlugins ? 'sandboxed' : 'unsandboxed';
    },
    requireChosen: (files) => plugins.shared.requireChosen(files),
    share: (files) => plugins.shared.share(files, []),
    ...(context.gateWaits ? { gateWaits: context.gateWaits } : {}),
    gateUnwatched: (row, gate) => tell(options, waitingFor(row, gate)),
    ...(options.traceOf ? { traceOf: options.traceOf } : {}),
    tokensUsed: tokenCounter(options.metrics),
    stepEnded: (...step) => options.metrics.agentStep(...step),
    async runEnded(row, seconds) {
      options.metrics.agentRun(row.status, seconds);
      await tellEnd(options, row);
      await runHooks(options, row);
    },
  });
}

type News = Omit<Parameters<NotificationsFeature['center']['notify']>[0], 'source'>;

async function tell({ notifications, context }: AgentPartsOptions, news: News): Promise<void> {
  await notifications.center
    .notify({ source: 'agent', ...news })
    .catch((why: unknown) => context.log.error('agent', 'A notification was not stored', why));
}

/** The user's own cancel is no news. */
async function tellEnd(options: AgentPartsOptions, row: RunRow): Promise<void> {
  const { status, summary, error } = row;
  if (status === 'completed') await tell(options, news(row, 'success', 'Done', summary));
  if (status === 'failed') await tell(options, news(row, 'error', 'Failed', error));
}

function waitingFor(row: RunRow, gate: Gate): News {
  if (gate.gate === 'plan') {
    const { length } = gate.plan.steps;
    const said = `Its plan of ${length === 1 ? 'one step' : `${length} steps`} waits for your approval.`;
    return news(row, 'warning', 'Waiting for you', said);
  }
  const { index, tool, reason } = gate;
  const said = `Step ${index} wants to use ${tool}. ${reason} Without an answer it fails after ten minutes.`;
  return news(row, 'warning', 'Waiting for you', said);
}

const maxTitle = 200;
const maxBody = 4_000;

function news(
  { runId, goal }: RunRow,
  level: News['level'],
  what: string,
  said: string | null,
): News {
  return {
    ...{ level, link: `/agent/${runId}` },
    title: `${what}: ${goal.replaceAll(/\s+/g, ' ')}`.slice(0, maxTitle).toWellFormed(),
    body: (said ?? '').slice(0, maxBody).toWellFormed() || null,
  };
}

const hookLimitMs = 60_000;

async function runHooks({ calls, context }: AgentPartsOptions, row: RunRow): Promise<void> {
  const { status, runId, error } = row;
  if (status !== 'completed' && status !== 'failed') return;
  const call = {
    ...({ event: status === 'completed' ? 'run_complete' : 'run_error', runId } as const),
    ...{ cwd: calls.workspace(), ...(error === null ? {} : { error }) },
  };
  await calls.gate.hooks
    .run(call, AbortSignal.timeout(hookLimitMs))
    .catch((why: unknown) => context.log.error('agent', 'The hooks of a run did not end', why));
}
