import type { Route } from '../http/route.ts';
import { createDiagnostics } from '../features/diagnostics/index.ts';
import { createMarketplace } from '../features/marketplace/index.ts';
import { createNotifications } from '../features/notifications/index.ts';
import { createPlugins } from '../features/plugins/index.ts';
import { createSettings } from '../features/settings/index.ts';
import { createSetup } from '../features/setup/index.ts';
import type { Database } from '../platform/database/database.ts';
import { createProcesses } from '../platform/processes.ts';
import { shellOrigin } from '../http/gate.ts';
import type { AppContext } from './app-context.ts';
import { checkMayNotify, quarantineTeller, tellLeftOut } from './plugin-notices.ts';
import { createRunStreams } from './run-streams.ts';

export interface HostApp {
  routes: Route[];
  close(): Promise<void>;
}

/** The full service, in dependency order: reading this list is reading the architecture. */
export async function createHostApp(context: AppContext, database: Database): Promise<HostApp> {
  const { paths, log, desktop, tickets, secrets, resources } = context;
  const origin = (): string => `http://127.0.0.1:${context.port()}`;

  const diagnostics = createDiagnostics();
  const setup = createSetup({ ...context.setup, mode: 'APP' });
  const settings = await createSettings({
    database,
    secrets,
    computerUse: () => desktop?.computerUse() ?? null,
    resetDatabase: () => setup.desk.clear(),
  });
  const notifications = createNotifications({
    database,
    tickets,
    checkPlugin: (id) => checkMayNotify(plugins.host, id),
  });
  const processes = createProcesses();
  const plugins = await createPlugins({
    database,
    processes,
    paths,
    log,
    logLevel: () => log.level,
    locale: () => settings.book.values.language,
    baseUrl: origin,
    frameAncestors: () => [
      origin(),
      `http://localhost:${context.port()}`,
      ...(desktop ? [shellOrigin] : []),
    ],
    bridgeDirectory: resources.bridge,
    seedDirectory: resources.plugins,
    onQuarantine: quarantineTeller(notifications.center, log),
    onCall: (plugin, outcome, seconds) =>
      diagnostics.metrics.pluginCall(plugin.id, outcome, seconds),
  });
  const marketplace = createMarketplace({
    host: plugins.host,
    baseUrl: origin,
    requireChecksum: () => settings.book.values.requirePluginChecksum,
  });
  const runStreams = createRunStreams(tickets);

  if (!context.logLevelGiven) applyLogLevel();
  settings.book.changes.subscribe(({ keys }) => {
    if (keys.includes('logLevel')) applyLogLevel();
  });
  function applyLogLevel(): void {
    log.level = settings.book.values.logLevel;
    plugins.host.setLogLevel(log.level);
  }
  await tellLeftOut(notifications.center, plugins.seeds.leftOut);

  const features = [diagnostics, setup, settings, notifications, plugins, marketplace, runStreams];
  return {
    routes: features.flatMap((feature) => feature.routes),
    async close() {
      await plugins.close();
      await processes.close();
    },
  };
}
