import type { ModelChoice } from '../contract/index.ts';
import {
  type ChatFeature,
  type ChatOptions,
  createChat,
  skillSource,
} from '../features/chat/index.ts';
import type { ContributionsFeature } from '../features/contributions/index.ts';
import type { ModelBackend, ModelsFeature, UsedTokens } from '../features/models/index.ts';
import type { Metrics } from '../features/diagnostics/index.ts';
import { checkRules } from '../features/permissions/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { UsageFeature } from '../features/usage/index.ts';
import type { ToolSource } from '../features/tools/index.ts';
import { HostError } from '../core/host-error.ts';
import type { SingleUseStreams } from '../http/single-use-streams.ts';
import type { Database } from '../platform/database/database.ts';
import type { AppContext } from './app-context.ts';
import type { ToolCallServices } from './compose-tool-calls.ts';
import { msg } from '../messages/index.ts';

/** The features that the chat depends on. */
export interface ComposeChatOptions {
  context: AppContext;
  database: Database;
  settings: SettingsFeature;
  models: ModelsFeature;
  plugins: PluginsFeature;
  contributions: ContributionsFeature;
  /** Event streams of chat turns, by stream id. */
  calls: ToolCallServices;
  streams: SingleUseStreams;
  /** Tools of MCP servers. */
  sources: readonly ToolSource[];
  prompts: ChatOptions['prompts'];
  resources: ChatOptions['resources'];
  workflows: ChatOptions['workflows'];
  metrics: Metrics;
  usage: UsageFeature;
}

/** Creates the chat and adds its own tools to the catalog. */
export function composeChat(options: ComposeChatOptions): ChatFeature {
  const { context, database, settings, plugins, models, calls } = options;
  const { contributions } = options.contributions;
  for (const source of [skillSource(contributions), ...options.sources])
    calls.tools.catalog.add(source);
  return createChat({
    database,
    streams: options.streams,
    log: context.log,
    contributions,
    prompts: options.prompts,
    resources: options.resources,
    workflows: options.workflows,
    workspace: calls.workspace,
    gate: calls.gate,
    backend: (choice) => chosenBackend(models, choice),
    checkModel: ({ provider }) => models.providers.check(provider),
    contextWindowTokens: (choice) => models.contextWindowTokens(choice),
    defaultMode: () => settings.service.values.permissionMode,
    checkRules: refuseBadRules,
    shared: plugins.shared,
    incoming: plugins.incoming,
    turnEnded: (outcome) => options.metrics.chatTurn(outcome),
    tokensUsed: tokenCounter(options),
    costOf: options.usage.costOf,
  });
}

/** Counts the tokens of every model call, from the chat as well as from agents. */
export const tokenCounter =
  ({ metrics, usage }: { metrics: Metrics; usage: UsageFeature }) =>
  ({ told, by, ...tokens }: UsedTokens, conversationId?: string): void => {
    metrics.chatTokens('input', 'server', tokens.inputTokens);
    metrics.chatTokens('output', told ? 'server' : 'estimate', tokens.outputTokens);
    const provider = by.provider ?? by.mode;
    usage.record({ ...tokens, provider, model: by.model, conversationId, estimated: !told });
  };

/** @throws HostError 409 `model_not_ready`, 404 `unknown_provider` */
function chosenBackend(models: ModelsFeature, choice: ModelChoice | undefined): ModelBackend {
  const backend = models.backend(choice);
  if (backend !== null) return backend;
  throw new HostError('conflict', 'model_not_ready', msg('chat.modelNotReady'));
}

/** @throws HostError 409 `model_not_ready` */
export function backendOf({ aiConfig }: ModelsFeature, model?: string) {
  const backend = aiConfig.current();
  if (backend !== null)
    return model === undefined ? backend : aiConfig.trial(backend.mode, { model }).backend;
  throw new HostError('conflict', 'model_not_ready', msg('chat.modelNotReady'));
}

/** @throws HostError 400 `invalid_rules` */
export function refuseBadRules(rules: readonly string[]): void {
  const { problems } = checkRules(rules.join('\n'));
  const [first] = problems;
  if (first === undefined && !rules.some((rule) => /[\r\n]/.test(rule))) return;
  const text = first
    ? msg('chat.ruleInvalid', { rule: first.text, reason: first.message })
    : msg('chat.ruleManyLines');
  throw new HostError('invalid', 'invalid_rules', text);
}
