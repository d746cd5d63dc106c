import { type Gate, hostVersion } from '../contract/index.ts';
import {
  type AgentFeature,
  createAgent,
  type RunEnding,
  type RunRow,
} from '../features/agent/index.ts';
import type { UsageFeature } from '../features/usage/index.ts';
import type { Metrics, TraceExport } from '../features/diagnostics/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import {
  hostNotice,
  type HostNotice,
  type NotificationsFeature,
} from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { SingleUseStreams } from '../http/single-use-streams.ts';
import type { Database } from '../platform/database/database.ts';
import type { Isolation } from '../platform/isolation/isolation.ts';
import { wallClock } from '../platform/wall-clock.ts';
import { msg, textOf, wireText } from '../messages/index.ts';
import type { AppContext } from './app-context.ts';
import type { ToolCallServices } from './compose-tool-calls.ts';
import { backendOf, refuseBadRules, tokenCounter } from './compose-chat.ts';

/** The features that agent runs depend on. */
export interface ComposeAgentOptions {
  context: AppContext;
  database: Database;
  settings: SettingsFeature;
  models: ModelsFeature;
  isolation: Isolation;
  plugins: PluginsFeature;
  notifications: NotificationsFeature;
  calls: ToolCallServices;
  /** Event streams of agent runs, by run id. */
  streams: SingleUseStreams;
  metrics: Metrics;
  usage: UsageFeature;
  /** Receives the events of a run for its trace; absent if traces are not exported. */
  traceOf?: TraceExport['traceOf'];
}

/**
 * Creates the agent feature and reports the end of each run to metrics, notifications and hooks.
 */
export function composeAgent(options: ComposeAgentOptions): Promise<AgentFeature> {
  const { context, database, settings, models, isolation, plugins, calls, streams } = options;
  return createAgent({
    database,
    clock: context.wallClock ?? wallClock,
    retentionDays: () => settings.service.values.runRetentionDays,
    streams,
    log: context.log,
    gate: calls.gate,
    checkRules: refuseBadRules,
    defaultMode: () => settings.service.values.permissionMode,
    backend: (model) => backendOf(models, model),
    posture: async () => {
      const { sandboxed, unsandboxedPlugins } = await isolation.report();
      return sandboxed && !unsandboxedPlugins ? 'sandboxed' : 'unsandboxed';
    },
    requireChosen: (files) => plugins.shared.requireChosen(files),
    share: (files) => plugins.shared.share(files, []),
    ...(context.gateWaits ? { gateWaits: context.gateWaits } : {}),
    cluster: context.cluster,
    advertised: () => advertisedTools(options),
    hostLost: (row) => notify(options, lostNotification(row)),
    gateUnwatched: (row, gate) => notify(options, gateNotification(row, gate)),
    ...(options.traceOf ? { traceOf: options.traceOf } : {}),
    activeChanged: (count) => context.desktop?.runsActive?.(count),
    tokensUsed: tokenCounter(options),
    stepEnded: (...step) => options.metrics.agentStep(...step),
    async runEnded(row, outcome, seconds) {
      options.metrics.agentRun(row.status, seconds);
      logFailure(context.log, row, outcome);
      await notifyRunEnded(options, row, outcome);
      await runHooks(options, row);
    },
  });
}

async function notify(
  { notifications, context }: ComposeAgentOptions,
  notification: HostNotice,
): Promise<void> {
  await notifications.center
    .send(notification)
    .catch((why: unknown) => context.log.error('agent', 'A notification was not stored', why));
}

/**
 * Log lines without step titles and tool output, which may contain secrets; the run itself displays
 * them.
 */
function logFailure(log: AppContext['log'], row: RunRow, { failure, error }: RunEnding): void {
  if (row.status !== 'failed') return;
  const tool = failure && row.plan?.steps[failure.step]?.tool;
  if (tool) log.warn('agent', `Run ${row.runId} failed at step ${failure.step + 1} (${tool})`);
  else log.warn('agent', `Run ${row.runId} failed: ${textOf(error ?? '')}`);
}

/** A run that the user cancelled causes no notification. */
async function notifyRunEnded(
  options: ComposeAgentOptions,
  row: RunRow,
  { status, tally, failure, answer, code = '', error: reason = '' }: RunEnding,
): Promise<void> {
  const goal = goalOf(row);
  const success = about(row, 'success');
  const failed = about(row, 'error');
  if (status === 'completed' && tally) {
    const summary = row.plan?.summary ?? '';
    const parameters = { goal, summary, ...briefAnswer(answer), ...tally };
    await notify(options, hostNotice('run_completed', parameters, success));
  } else if (status === 'failed' && tally && failure)
    await notify(options, hostNotice('run_failed', { goal, ...failure, ...tally }, failed));
  else if (status === 'failed')
    await notify(
      options,
      hostNotice('run_stopped', { goal, code, ...wireText('reason', reason) }, failed),
    );
}

/** A plugin's tools have its version, all others that of the host. */
async function advertisedTools({ calls, plugins }: ComposeAgentOptions) {
  const versions = new Map(plugins.host.list().map(({ id, manifest }) => [id, manifest.version]));
  const tools = await calls.gate.tools.list();
  return Object.fromEntries(
    tools.map(({ name, effect, inputSchema, pluginId = '' }) => {
      const version = versions.get(pluginId) ?? hostVersion;
      return [name, { version, effect, inputSchema }];
    }),
  );
}

function lostNotification(row: RunRow): HostNotice {
  const reason = wireText('reason', msg('cluster.hostLost'));
  const parameters = { goal: goalOf(row), code: 'host_lost', ...reason };
  return hostNotice('run_stopped', parameters, about(row, 'error'));
}

function gateNotification(row: RunRow, gate: Gate): HostNotice {
  const goal = goalOf(row);
  const more = about(row, 'warning');
  if (gate.gate === 'plan')
    return hostNotice('plan_waits', { goal, steps: gate.plan.steps.length }, more);
  const { index: step, tool, reason, reasonMessage } = gate;
  const why = { reason, ...(reasonMessage && { reasonMessage }) };
  return hostNotice('step_waits', { goal, step, tool, ...why }, more);
}

const maxGoal = 200;
const maxAnswer = 3_000;

const briefAnswer = (answer: string | undefined): { answer?: string } =>
  answer === undefined
    ? {}
    : { answer: answer.length > maxAnswer ? `${answer.slice(0, maxAnswer)}…` : answer };

const goalOf = ({ goal }: RunRow): string => goal.replaceAll(/\s+/g, ' ').slice(0, maxGoal);

const about = ({ runId }: RunRow, level: HostNotice['level']) =>
  ({ source: 'agent', level, link: `/agent/${runId}` }) as const;

const hookLimitMs = 60_000;

async function runHooks({ calls, context }: ComposeAgentOptions, row: RunRow): Promise<void> {
  const { status, runId, error } = row;
  if (status !== 'completed' && status !== 'failed') return;
  const call = {
    ...({ event: status === 'completed' ? 'run_complete' : 'run_error', runId } as const),
    cwd: calls.workspace(),
    ...(error === null ? {} : { error: textOf(error) }),
  };
  await calls.gate.hooks
    .run(call, AbortSignal.timeout(hookLimitMs))
    .catch((why: unknown) => context.log.error('agent', 'The hooks of a run did not end', why));
}
