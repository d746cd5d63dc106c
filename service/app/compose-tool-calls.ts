import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CallGate,
  createGate,
  type GatePorts,
  SessionRules,
} from '../features/call-gate/index.ts';
import type { ContributionsFeature } from '../features/contributions/index.ts';
import {
  createPermissions,
  hookRoutes,
  HookRunner,
  runnableHooks,
} from '../features/permissions/index.ts';
import type { NotificationsFeature } from '../features/notifications/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import { createTools, type ToolsFeature } from '../features/tools/index.ts';
import type { Route } from '../http/route.ts';
import type { Database } from '../platform/database/database.ts';
import type { BrowserEngine } from '../platform/browser/browser-engine.ts';
import type { ComputerEngine } from '../platform/computer/computer-engine.ts';
import { ChromiumEngine } from '../platform/browser/chromium/chromium-engine.ts';
import { ensureFolder, isFolder } from '../platform/ensure-folder.ts';
import type { Isolation } from '../platform/isolation/isolation.ts';
import type { Processes } from '../platform/processes.ts';
import type { AppContext } from './app-context.ts';
import { hookNotifier } from './plugin-notifications.ts';

/** The features that tools, permissions and hooks depend on. */
export interface ComposeToolCallsOptions {
  context: AppContext;
  database: Database;
  settings: SettingsFeature;
  processes: Processes;
  isolation: Isolation;
  plugins: PluginsFeature;
  contributions: ContributionsFeature;
  notifications: NotificationsFeature;
  computer: ComputerEngine;
}

/** The tools, and the gate of rules and hooks that each call passes. */
export interface ToolCallServices {
  tools: ToolsFeature;
  gate: GatePorts;
  /** Creates the gate for calls of another program over MCP, in the mode `ask-for-approval`. */
  gateOf: (session: string, signal: AbortSignal) => CallGate;
  /** Absolute path of the folder where commands run. It may not exist yet. */
  workspace: () => string;
  routes: Route[];
  /** Closes hooks, then tools. */
  close(): Promise<void>;
}

/** Creates the tools, and the rules and hooks that judge their calls. */
export function composeToolCalls(options: ComposeToolCallsOptions): ToolCallServices {
  const { context, database, settings, processes, isolation, plugins } = options;
  const { contributions } = options.contributions;
  const { paths, log, resources, properties } = context;
  const workspace = (): string => settings.service.values.workspaceDirectory || paths.workspace;
  const tools = createTools({
    database,
    processes,
    paths,
    log,
    plugins: plugins.host,
    commandSandbox: () => isolation.commandSandbox(),
    ownSecrets: context.ownSecrets,
    settings: () => settings.service.values,
    webAllow: properties.webAllow,
    browser: browserOf(options),
    computer: options.computer,
    modelPresses: (pressing) => context.desktop?.modelPresses?.(pressing),
    objectionTo: (url, opened) => permissions.objectionTo(url, opened),
  });
  const { permissions, routes } = createPermissions({
    settings: () => settings.service.values,
    sandbox: async () => ((await isolation.report()).sandboxed ? 'full' : 'reduced'),
    toolInfo: (tool) => tools.catalog.toolInfo(tool),
    grammarDirectory: resources.shellGrammars,
  });
  const sessions = new SessionRules();
  sessions.dropped.subscribe((session) => tools.endSession(session));
  sessions.paused.subscribe((owner) => tools.paused(owner));
  const hooks = new HookRunner({
    processes,
    log,
    workspace: () => existingWorkspace(settings.service.values.workspaceDirectory, paths.workspace),
    hooks: () =>
      runnableHooks({
        own: settings.service.values.hooks,
        trusted: contributions.trustedParts,
        dataDirectory: (id) => join(paths.pluginData, id),
        configs: plugins.configs,
      }),
    aliasesOf: async (tool) => (await tools.catalog.toolInfo(tool))?.aliases,
    onCannotRun: hookNotifier(options.notifications.center, log),
  });
  const gate: GatePorts = {
    tools: tools.catalog,
    hooks,
    workspace,
    sessions,
    log,
    judge: (call, { mode, sessionRules }) => permissions.judge(call, { mode, sessionRules }),
    objectionTo: (url, decided) => permissions.objectionTo(url, decided),
    allowAlways: (rules) => allowAlways(settings, rules),
  };
  return {
    tools,
    gate,
    workspace,
    routes: [...tools.routes, ...routes, ...hookRoutes(hooks)],
    gateOf: (session, signal) => createGate(gate, { mode: 'ask-for-approval', session, signal }),
    async close() {
      await hooks.close();
      await tools.close();
    },
  };
}

/** The browser of the desktop app, otherwise an installed Chromium. */
function browserOf({ context, processes }: ComposeToolCallsOptions): BrowserEngine {
  const { desktop, log, paths, properties } = context;
  return (
    desktop?.browser ??
    new ChromiumEngine({ processes, log, named: properties.browserPath, directory: paths.browser })
  );
}

/**
 * Folder of hooks: the chosen one, otherwise the default one, which is created if missing,
 * otherwise the temporary folder of the system.
 */
async function existingWorkspace(chosen: string, standard: string): Promise<string> {
  if (chosen !== '' && (await isFolder(chosen))) return chosen;
  return ensureFolder(standard).then(
    () => standard,
    () => tmpdir(),
  );
}

/** Adds missing rules to the setting, one per line. */
async function allowAlways({ service }: SettingsFeature, rules: readonly string[]): Promise<void> {
  const existing = service.values.permissionRules.allow
    .split('\n')
    .filter((line) => line.trim() !== '');
  const fresh = rules.filter((rule) => !existing.includes(rule));
  if (fresh.length === 0) return;
  await service.change({ permissionRules: { allow: [...existing, ...fresh].join('\n') } });
}
