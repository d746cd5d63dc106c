import { join } from 'node:path';
import type { Topic } from '../core/topic.ts';
import type { ContributionsFeature } from '../features/contributions/index.ts';
import type { Metrics } from '../features/diagnostics/index.ts';
import { createMcp, type McpFeature } from '../features/mcp/index.ts';
import type { ModelsFeature } from '../features/models/index.ts';
import type { PluginsFeature } from '../features/plugins/index.ts';
import type { SettingsFeature } from '../features/settings/index.ts';
import type { Processes } from '../platform/processes.ts';
import type { AppContext } from './app-context.ts';
import { backendOf } from './compose-chat.ts';

/** The features that the MCP client depends on. */
export interface ComposeMcpOptions {
  context: AppContext;
  settings: SettingsFeature;
  models: ModelsFeature;
  processes: Processes;
  plugins: PluginsFeature;
  contributions: ContributionsFeature;
  metrics: Metrics;
  /** Published when the state of a server has changed. */
  mcpChanged: Topic<undefined>;
}

/** The MCP servers of the user, of the file named at launch, and of trusted plugins. */
export async function composeMcp(options: ComposeMcpOptions): Promise<McpFeature> {
  const { context, settings, models, processes, plugins } = options;
  const { contributions } = options.contributions;
  const { paths, log, databaseSecrets, properties } = context;
  const mcp = await createMcp({
    secrets: databaseSecrets,
    hostId: context.cluster?.hostId ?? null,
    processes,
    log,
    store: settings.stored('mcpServers'),
    directory: paths.mcp,
    serversFile: properties.mcpServersFile,
    webAllow: properties.webAllow,
    isFromLauncher: context.desktop?.isFromLauncher === true,
    pluginSignIns: settings.stored('mcpPluginSignIns'),
    sampling: {
      isOn: () => settings.service.values.mcpSamplingEnabled,
      backend: () => backendOf(models),
    },
    trusted: () => contributions.trustedParts.now(),
    dataDirectory: (id) => join(paths.pluginData, id),
    configs: plugins.configs,
    onChanged: () => options.mcpChanged.publish(undefined),
    onCall(server, outcome) {
      options.metrics.mcpCall(server, outcome);
      log.debug('mcp', () => `A call of ${server} ended: ${outcome}`);
    },
  });
  contributions.trustChanged.subscribe(() => void mcp.ofPlugins.refresh());
  settings.service.changes.subscribe(({ keys }) => {
    if (keys.includes('mcpSamplingEnabled')) mcp.samplingSwitched();
  });
  plugins.host.changed.subscribe((id) => {
    void mcp.ofPlugins.refresh();
    if (plugins.host.find(id)) return;
    mcp
      .forgetPlugin(id)
      .catch((error: unknown) => log.error('mcp', 'A sign-in could not be forgotten', error));
  });
  return mcp;
}
