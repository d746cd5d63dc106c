import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatFeature, createChat, skillSource } from '../features/chat/index.ts';
import type { ContributionsFeature } from '../features/contributions/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import {
  checkRules,
  createPermissions,
  hookRoutes,
  HookRunner,
  runnableHooks,
} from '../features/permissions/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import { createTools, type ToolSource } from '../features/tools/index.ts';
import { HostError } from '../core/host-error.ts';
import type { Route } from '../http/route.ts';
import type { SingleUseStreams } from '../http/single-use-streams.ts';
import type { Database } from '../platform/database/database.ts';
import { ensureFolder, isFolder } from '../platform/ensure-folder.ts';
import type { Isolation } from '../platform/isolation/isolation.ts';
import type { Processes } from '../platform/processes.ts';
import type { AppContext } from './app-context.ts';

export interface ChatPartsOptions {
  context: AppContext;
  database: Database;
  settings: SettingsFeature;
  models: ModelsFeature;
  processes: Processes;
  isolation: Isolation;
  plugins: PluginsFeature;
  contributions: ContributionsFeature;
  streams: SingleUseStreams;
  /** Tools from elsewhere. */
  sources: readonly ToolSource[];
  prompts: { text(name: string, words: readonly string[]): Promise<string | null> };
}

export interface ChatParts extends Pick<ChatFeature, 'gateOf'> {
  routes: Route[];
  close(): Promise<void>;
}

/** The chat, its tools, and what judges their calls: rules and hooks. */
export function createChatParts(options: ChatPartsOptions): ChatParts {
  const { context, database, settings, processes, isolation, plugins } = options;
  const { models } = options;
  const { contributions } = options.contributions;
  const { paths, log, resources, properties } = context;
  const workspace = (): string => settings.book.values.workspaceDirectory || paths.workspace;
  const tools = createTools({
    ...{ database, processes, paths, log, plugins: plugins.host },
    commandBoxing: () => isolation.commandBoxing(),
    settings: () => settings.book.values,
    webAllow: properties.webAllow,
  });
  const { permissions, routes } = createPermissions({
    settings: () => settings.book.values,
    sandbox: async () => ((await isolation.report()).sandboxed ? 'full' : 'reduced'),
    effectOf: async (tool) => (await tools.catalog.find(tool))?.effect,
    grammarDirectory: resources.shellGrammars,
  });
  const hooks = new HookRunner({
    ...{ processes, log },
    workspace: () => existingWorkspace(settings.book.values.workspaceDirectory, paths.workspace),
    hooks: () =>
      runnableHooks({
        own: settings.book.values.hooks,
        trusted: contributions.trustedParts,
        dataDirectory: (id) => join(paths.pluginData, id),
      }),
  });
  for (const source of [skillSource(contributions), ...options.sources]) tools.catalog.add(source);
  const chat = createChat({
    ...{
      database,
      streams: options.streams,
      log,
      contributions,
      prompts: options.prompts,
      workspace,
    },
    backend: () => backendOf(models),
    contextWindowTokens: () => models.book.contextWindowTokens,
    defaultMode: () => settings.book.values.permissionMode,
    tools: tools.catalog,
    judge: (call, { mode, sessionRules }) => permissions.judge(call, { mode, sessionRules }),
    hooks,
    allowAlways: (rules) => allowAlways(settings, rules),
    checkRules: refuseBadRules,
    shared: plugins.shared,
    incoming: plugins.incoming,
  });
  return {
    routes: [...tools.routes, ...routes, ...hookRoutes(hooks), ...chat.routes],
    gateOf: chat.gateOf,
    async close() {
      await chat.close();
      await hooks.close();
      await tools.close();
    },
  };
}

/** Where hooks run: the chosen folder, else the standard one, which is made when it is missing. */
async function existingWorkspace(chosen: string, standard: string): Promise<string> {
  if (chosen !== '' && (await isFolder(chosen))) return chosen;
  return ensureFolder(standard).then(
    () => standard,
    () => tmpdir(),
  );
}

function backendOf({ book }: ModelsFeature) {
  const backend = book.current();
  if (backend !== null) return backend;
  const message = 'No model is set up. Choose one in the settings first.';
  throw new HostError('conflict', 'model_not_ready', message);
}

/** Each rule is a line of its own, once. */
async function allowAlways({ book }: SettingsFeature, rules: readonly string[]): Promise<void> {
  const known = book.values.permissionRules.allow.split('\n').filter((line) => line.trim() !== '');
  const fresh = rules.filter((rule) => !known.includes(rule));
  if (fresh.length === 0) return;
  await book.change({ permissionRules: { allow: [...known, ...fresh].join('\n') } });
}

function refuseBadRules(rules: readonly string[]): void {
  const { problems } = checkRules(rules.join('\n'));
  const [first] = problems;
  if (first === undefined && !rules.some((rule) => /[\r\n]/.test(rule))) return;
  const detail = first ? `${first.text}: ${first.message}` : 'A rule is one line.';
  throw new HostError('invalid', 'invalid_rules', `That is no rule. ${detail}`);
}
