import { hostname } from 'node:os';
import {
  type DatabaseChange,
  hostVersion,
  localOrigins,
  type WritableSettings,
} from '../contract/index.ts';
import type { Route } from '../http/route.ts';
import { createBackups } from '../features/backups/index.ts';
import { createContributions } from '../features/contributions/index.ts';
import { createDiagnostics } from '../features/diagnostics/index.ts';
import { createHosts } from '../features/hosts/index.ts';
import { createImports } from '../features/imports/index.ts';
import { createMarketplace } from '../features/marketplace/index.ts';
import { createModels } from '../features/models/index.ts';
import { createNotifications, type NotificationsFeature } from '../features/notifications/index.ts';
import { createPlugins, KitProgram, type PluginsFeature } from '../features/plugins/index.ts';
import { requireRules, ruleProblems } from '../features/permissions/index.ts';
import { createSettings, type SettingsFeature } from '../features/settings/index.ts';
import { createSetup } from '../features/setup/index.ts';
import { createUnpacked } from '../features/unpacked/index.ts';
import type { UpdatesFeature } from '../features/updates/index.ts';
import { createUsage } from '../features/usage/index.ts';
import { findComputer } from '../platform/computer/find-computer.ts';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import { createIsolation, type Isolation } from '../platform/isolation/isolation.ts';
import { createProcesses, type Processes } from '../platform/processes.ts';
import { shellOrigin } from '../http/gate.ts';
import { answerFrameRoutes } from './answer-frames.ts';
import type { AppContext } from './app-context.ts';
import { type AiFeatures, composeAiFeatures } from './compose-ai-features.ts';
import { composeMcp } from './compose-mcp.ts';
import { addClusterMetrics } from './cluster-metrics.ts';
import { followOthers, reloadSettings } from './follow-others.ts';
import { followSettings } from './follow-settings.ts';
import { h2PathsOf } from './options.ts';
import {
  checkMayNotify,
  quarantineNotifier,
  refusalNotifier,
  settingNotifier,
} from './plugin-notifications.ts';
import { createRunStreams } from './run-streams.ts';
import type { ShellAppearance } from './shell-page.ts';
import { sendStartupNotifications } from './startup-notifications.ts';
import { lackingSecrets, secretHolders } from './secret-notifications.ts';
import { composeUpdates } from './compose-updates.ts';
import { sentReport } from '../platform/isolation/isolation-report.ts';
import { sentState } from '../platform/computer/computer-engine.ts';

/** The service in APP mode, on one open database. */
export interface HostApp
  extends Pick<AiFeatures, 'gateOf'>, Pick<UpdatesFeature, 'confirmStarted'> {
  routes: Route[];
  /** Null if the working directory used this database before. */
  databaseChange: DatabaseChange | null;
  /** Theme, language and sidebar from the current settings. */
  appearance(): ShellAppearance;
  /** Closes the features, those that depend on others first. The database stays open. */
  close(): Promise<void>;
}

/** Creates all features in dependency order. This function is the map of the architecture. */
export async function createHostApp(
  context: AppContext,
  database: Database,
  databaseConfig: DatabaseConfig,
): Promise<HostApp> {
  const { paths, log, tickets, databaseSecrets } = context;
  const { processes, computer } = machineOf(context, () => settings.service.values.language);
  const diagnostics = createDiagnostics({
    ...factsOf(context, database, () => settings.service.values),
    isolation: async () => sentReport(await isolation.report()),
    plugins: () => statesOf(plugins),
    mcp: () => mcp.servers.states(),
    lostSecrets: () =>
      lackingSecrets(secretHolders({ settings, models, mcp, plugins }), context.clusterKey),
  });
  const setup = createSetup({ ...context.setup, mode: 'APP' });
  const settings = await createSettings({
    database,
    secrets: databaseSecrets,
    requireRules,
    computerUse: async () => (isExpected(context) ? sentState(await computer.state()) : null),
    resetDatabase: () => setup.service.clear(),
  });
  const models = await createModels({
    store: settings.stored('aiConfig'),
    providers: settings.stored('modelProviders'),
    secrets: databaseSecrets,
    log,
  });
  const usage = await createUsage({
    database,
    prices: settings.stored('modelPrices'),
    titles: (ids) => aiFeatures.titles(ids),
    log,
  });
  const notifications = createNotifications({
    database,
    tickets,
    checkPlugin: (id) => checkMayNotify(plugins.host, id),
  });
  const isolation = isolationOf(context, processes, settings);
  const plugins = await createPlugins({
    ...pluginFacts(context),
    database,
    databaseConfig,
    secrets: context.secrets,
    databaseSecrets,
    processes,
    paths,
    log,
    ...workerLimits(isolation, notifications, log),
    locale: () => settings.service.values.language,
    isDeveloperMode: () => settings.service.values.developerMode,
    contentsOf: (plugin) => contributions.contributions.namesOf(plugin).catch(() => undefined),
    onQuarantine: quarantineNotifier(notifications.center, log),
    onCall: ({ id }, outcome, seconds) => diagnostics.metrics.pluginCall(id, outcome, seconds),
  });
  const contributions = createContributions(database, plugins.host, log);
  const kit = kitOf(context, processes);
  const marketplace = createMarketplace({
    ...storeFacts(context),
    kit,
    database,
    processes,
    paths,
    log,
    host: plugins.host,
    contributions: contributions.contributions,
    requireChecksum: () => settings.service.values.requirePluginChecksum,
  });
  const common = { context, settings, processes, computer, plugins, contributions };
  const parts = { ...common, metrics: diagnostics.metrics, traceOf: diagnostics.traceOf };
  const mcp = await composeMcp({ ...parts, models, mcpChanged: notifications.mcpChanged });
  const runStreams = createRunStreams(tickets);
  const aiFeatures = await composeAiFeatures({
    ...parts,
    database,
    models,
    usage,
    notifications,
    isolation,
    streams: runStreams,
    sources: [mcp.tools],
    prompts: mcp.prompts,
    resources: mcp.resources,
  });
  const imports = createImports({
    importServers: mcp.importServers,
    providers: models.providers,
    prompts: aiFeatures.prompts,
  });
  const shared = { settings, models, usage, mcp, notifications, aiFeatures };
  const hosts = createHosts({
    cluster: context.cluster,
    key: context.clusterKey,
    onKey: () => reloadSettings(context, shared),
    own: { name: hostname(), version: hostVersion, startedAt: new Date() },
    running: () => aiFeatures.running(),
  });
  const unpacked = await createUnpacked({
    host: plugins.host,
    kit,
    wasChosen: wasChosen(context),
    paths,
    log,
  });
  const backups = createBackups({ ...context, database });
  const updates = await composeUpdates(context, settings, processes);
  await followSettings(context, settings, { plugins, unpacked });
  const databaseChange = await sendStartupNotifications({
    ...parts,
    mcp,
    models,
    notifications,
    databaseConfig,
  });
  for (const part of [marketplace, mcp, diagnostics, aiFeatures]) part.start();
  await followOthers(context, shared);
  addClusterMetrics(context, diagnostics.metrics, aiFeatures);
  const first = [
    diagnostics,
    hosts,
    setup,
    settings,
    models,
    usage,
    backups,
    updates,
    notifications,
    plugins,
  ];
  // Diagnostics close last, so that the final counts are exported.
  const last = [mcp, unpacked, marketplace, plugins, processes, models, diagnostics];
  return {
    databaseChange,
    gateOf: aiFeatures.gateOf,
    confirmStarted: updates.confirmStarted,
    appearance: () => settings.service.values,
    routes: [
      ...[
        ...first,
        contributions,
        marketplace,
        unpacked,
        mcp,
        aiFeatures,
        imports,
        runStreams,
      ].flatMap(routesOf),
      ...answerFrameRoutes({
        directory: context.resources.answerFrame,
        origin: originOf(context),
        frameAncestors: () => frameAncestors(context),
      }),
    ],
    close: () => closeAll([updates, backups, aiFeatures, ...last]),
  };
}

async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close();
}

const routesOf = ({ routes }: { routes: Route[] }): Route[] => routes;

function isolationOf(
  { paths, sandboxPath, trustsPlugins, log }: AppContext,
  processes: Processes,
  { service }: SettingsFeature,
): Isolation {
  const isolationPaths = { hostRoot: paths.host, path: sandboxPath, trustsPlugins };
  return createIsolation(processes, isolationPaths, () => service.values.unsandboxedPlugins, log);
}

/**
 * The sandbox of workers, the plugins that may run without it, and the listeners of replaced
 * packages.
 */
const workerLimits = (
  isolation: Isolation,
  { center, pluginReplaced }: NotificationsFeature,
  log: AppContext['log'],
) => ({
  sandbox: () => isolation.workerSandbox(),
  refusal: refusalNotifier(isolation, center, log),
  onReplaced: (id: string) => pluginReplaced.publish(id),
  onUnusableSetting: settingNotifier(center, log),
});

/** A missing display does not justify a warning on a headless host. */
const isExpected = ({ desktop, properties }: AppContext): boolean =>
  desktop !== null || properties.computerDisplay !== null;

function machineOf({ desktop, properties, log }: AppContext, language: () => string) {
  const processes = createProcesses(log);
  const environment = {
    platform: process.platform,
    display: properties.computerDisplay,
    wayland: process.env['WAYLAND_DISPLAY'] ?? null,
    own: desktop?.computer ?? null,
    language,
  };
  return { processes, computer: findComputer(environment, processes) };
}

const wasChosen = ({ desktop }: AppContext) =>
  desktop && ((path: string): boolean => desktop.wasChosen(path));

const originOf =
  ({ port }: AppContext) =>
  (): string =>
    `http://127.0.0.1:${port()}`;

/** Facts about this host that the marketplace uses. */
const storeFacts = (context: AppContext) => ({
  baseUrl: originOf(context),
  wasChosen: wasChosen(context),
  shippedDirectory: context.resources.plugins,
  catalogUrl: context.properties.catalogUrl,
  webAllow: context.properties.webAllow,
});

const kitOf = ({ resources, build, paths }: AppContext, processes: Processes): KitProgram =>
  new KitProgram({
    kit: resources.kit,
    node: build.node,
    processes,
    developerFile: paths.developer,
  });

const statesOf = ({ host }: PluginsFeature) =>
  host.list().map(({ id, worker }) => ({ id, state: worker.state }));

/** Facts about this host that plugins are started with. */
const pluginFacts = (context: AppContext) => ({
  baseUrl: originOf(context),
  logLevel: () => context.log.level,
  frameAncestors: () => frameAncestors(context),
  wasChosen: wasChosen(context),
  bridgeDirectory: context.resources.bridge,
  seedDirectory: context.resources.plugins,
});

/** Facts in diagnostics that do not change while the host runs. */
function factsOf(context: AppContext, database: Database, settings: () => WritableSettings) {
  const { log, properties, cluster } = context;
  return {
    database,
    log,
    h2Paths: h2PathsOf(context),
    webAllow: properties.webAllow,
    exportTo: properties.otlpMetricsUrl,
    exportTracesTo: properties.otlpTracesUrl,
    instance: cluster && { id: cluster.hostId, name: cluster.name },
    ruleProblems: () => ruleProblems(settings().permissionRules),
    settings,
  };
}

/** Origins that may embed a plugin page, or a frame with contents of an answer. */
function frameAncestors({ port, desktop, properties }: AppContext): string[] {
  const own = localOrigins(port(), properties.allowedHosts);
  return desktop ? [...own, shellOrigin] : own;
}
