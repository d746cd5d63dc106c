import { realpath } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SetupReason } from '../features/setup/index.ts';
import { type Served, serveTools } from '../features/mcp-server/index.ts';
import { healthRoute } from '../features/diagnostics/index.ts';
import { createSetup } from '../features/setup/index.ts';
import { localOrigins } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { Topic } from '../core/topic.ts';
import { TicketRegistry } from '../http/access.ts';
import { mount } from '../http/mount.ts';
import { OpenStreams } from '../http/open-streams.ts';
import type { Route } from '../http/route.ts';
import { wireText } from '../messages/index.ts';
import { DataSourceFile } from '../platform/database/data-source-file.ts';
import type { Database } from '../platform/database/database.ts';
import { databaseProblem } from '../platform/database/database-problem.ts';
import { createEngines, type Engines } from '../platform/database/engines.ts';
import { logQueries } from '../platform/database/log-queries.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import { configOf } from '../platform/database/database-params.ts';
import { Snapshots } from '../platform/database/snapshots.ts';
import { hostPaths, makeFolders } from '../platform/paths.ts';
import { secretsInEnvironment } from '../platform/process-environment.ts';
import { createSecrets, readMachineId } from '../platform/secrets.ts';
import { DeveloperAccess } from './developer-access.ts';
import type { AppContext } from './app-context.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { refuseBesideCluster } from '../platform/cluster/refuse-beside-cluster.ts';
import { isClusterRefusal } from '../platform/cluster/refuse-cluster.ts';
import {
  databaseSecrets,
  exclusively,
  openCluster,
  requireClusterDatabase,
} from './open-cluster.ts';
import { createHostApp, type HostApp } from './host-app.ts';
import { h2PathsOf, type HostOptions } from './options.ts';
import { matchUrl, protectPassword, upgradeDatabase } from './prepare-database.ts';
import { requestLogger, requestName } from './request-log.ts';
import { listen, serverLimits } from './server.ts';
import { databaseFailure, isCannotStart, startFailure } from './start-failures.ts';
import { type ShellAppearance, shellRoutes } from './shell-page.ts';
import { WebSessions } from './web-sessions.ts';
import { msg, textOf } from '../messages/index.ts';

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** A started service, in SETUP or APP mode. */
export interface RunningHost {
  port: number;
  mode(): 'SETUP' | 'APP';
  /** Appearance of the shell page at its start; null in SETUP mode. */
  appearance: () => ShellAppearance;
  /** Returns a new one-time ticket that opens the shell in a browser. */
  mintWebTicket(): string;
  /**
   * Serves the tools of plugins to another program as an MCP server over these streams. Resolves
   * when they are connected.
   */
  serveMcp(streams: { input: Readable; output: Writable }): Promise<void>;
  /** Ends requests, features and the server, then closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the service.
 * @throws HostError when the port or the folders are not available
 */
export async function startHost(options: HostOptions): Promise<RunningHost> {
  await makeFolders(options.paths);
  // The real path, since sandboxes and grants compare paths as the system resolves them.
  const paths = hostPaths(await realpath(options.paths.workDirectory));
  const machineKey = options.machineKey ?? (await readMachineId(paths.machineId));
  const host = new Host({ ...options, paths }, machineKey);
  await host.start();
  return host;
}

class Host implements RunningHost {
  port = 0;
  private readonly options: HostOptions;
  private readonly server: Server;
  private readonly context: AppContext;
  private readonly dataSource: DataSourceFile;
  private readonly engines: Engines;
  private readonly snapshots: Snapshots;
  private readonly sessions: WebSessions;
  private readonly developer: DeveloperAccess;
  private readonly streams = new OpenStreams();
  private handler: Listener | null = null;
  private pendingRequests: (() => void)[] = [];
  private app: { running: HostApp; database: Database; cluster: Cluster | null } | null = null;
  private reason: SetupReason | undefined;
  private served: Served | null = null;

  constructor(options: HostOptions, machineKey: string) {
    this.options = options;
    const { paths, log } = options;
    const own = [options.token, machineKey, ...secretsInEnvironment()];
    for (const secret of own) log.hide(secret);
    const secrets = createSecrets(machineKey, (secret) => log.hide(secret));
    this.engines = createEngines(h2PathsOf(options));
    this.dataSource = new DataSourceFile(paths.dataSource, secrets, paths.workDirectory);
    this.snapshots = new Snapshots(paths.snapshots);
    this.sessions = new WebSessions(options.token, options.now);
    this.developer = new DeveloperAccess({
      file: paths.developer,
      port: () => this.port,
      hide: (secret) => log.hide(secret),
    });
    this.context = {
      ...options,
      port: () => this.port,
      tickets: new TicketRegistry(options.now),
      developer: this.developer,
      secrets,
      ownSecrets: [options.token, machineKey],
      dataSource: this.dataSource,
      snapshots: this.snapshots,
      toolsChanged: new Topic(),
      databaseSecrets: secrets,
      clusterKey: null,
      cluster: null,
      setup: {
        dataSource: this.dataSource,
        engines: this.engines,
        folders: paths,
        state: () => ({
          mode: this.mode(),
          reason: this.reason,
          databaseChange: this.app?.running.databaseChange ?? undefined,
        }),
        enterApp: (config) => this.enterApp(config),
        enterSetup: () => this.enterSetup(),
        change: { running: false },
      },
    };
    // Requests that arrive before the first handler exists wait for it.
    this.server = createServer(serverLimits, (req, res) =>
      this.handler
        ? this.handler(req, res)
        : void this.pendingRequests.push(() => this.handler?.(req, res)),
    );
  }

  mode(): 'SETUP' | 'APP' {
    return this.app === null ? 'SETUP' : 'APP';
  }

  appearance = (): ShellAppearance => this.app?.running.appearance() ?? null;

  mintWebTicket(): string {
    return this.sessions.mint();
  }

  async serveMcp(streams: { input: Readable; output: Writable }): Promise<void> {
    this.served = await serveTools({
      ...streams,
      gate: (signal) => this.app?.running.gateOf('mcp', signal) ?? null,
      toolsChanged: this.context.toolsChanged,
      warn: (message) => this.options.log.warn('mcp', textOf(message)),
    });
  }

  async start(): Promise<void> {
    this.port = await listen(this.server, this.options.port);
    this.options.onListening?.(this.port);
    try {
      const config = await this.firstConfig();
      if (config) await this.enterApp(config);
    } catch (error) {
      if (isCannotStart(error) || isClusterRefusal(error)) {
        await this.close();
        throw error;
      }
      await this.fallBack(error);
    }
    if (this.app === null) this.handleWith(this.setupHandler());
  }

  /** The stored configuration, or the requested embedded database on a first launch. */
  private async firstConfig(): Promise<DatabaseConfig | null> {
    const stored = await this.dataSource.read();
    if (stored || this.options.setup === null) return stored;
    requireClusterDatabase(this.options.properties, this.options.setup);
    // After a reset of the database the user wants to choose another one.
    if ((await this.dataSource.newestBackup()) !== null) return null;
    const config = configOf(this.options.setup, {}, this.options.paths);
    await this.dataSource.write(config);
    return config;
  }

  /**
   * A failed database leads to SETUP; the configuration is kept and the reason is reported. No
   * other failure does.
   */
  private async fallBack(error: unknown): Promise<void> {
    const failure = databaseFailure(error);
    this.options.log.error('setup', 'The configured database cannot be used', error);
    const backup = await this.dataSource.backUp().catch(() => null);
    if (backup) this.options.log.warn('setup', `The configuration was kept as ${backup}`);
    this.reason = {
      code: failure.code,
      ...wireText('message', failure.text),
      at: new Date().toISOString(),
    };
  }

  private async enterApp(config: DatabaseConfig): Promise<void> {
    requireClusterDatabase(this.options.properties, config.type);
    await protectPassword(this.dataSource, this.options.log);
    const opened = await openDatabase(config, this.engines).catch(async (error: unknown) => {
      throw await startFailure(error, config, false);
    });
    const database = logQueries(opened, this.options.log);
    const cluster = await openCluster(this.options, database, config);
    let isPrepared = false;
    try {
      const running = await exclusively(cluster, async () => {
        if (cluster) await cluster.refuseOtherVersions();
        else await refuseBesideCluster(database);
        await this.prepare(database, config);
        isPrepared = true;
        await cluster?.join();
        const shared = await databaseSecrets(this.context, database, cluster);
        return createHostApp({ ...this.context, cluster, ...shared }, database, config);
      });
      this.app = { running, database, cluster };
      this.reason = undefined;
      this.handleWith(this.handlerOf(running.routes, 'APP'));
      running.confirmStarted();
      this.context.toolsChanged.publish(undefined);
    } catch (error) {
      await cluster?.close();
      await database.close();
      this.options.log.error('setup', 'The service cannot start on this database', error);
      throw await startFailure(error, config, isPrepared);
    }
  }

  private async prepare(database: Database, config: DatabaseConfig): Promise<void> {
    const { log, migrations } = this.options;
    await upgradeDatabase(database, config, { log, migrations, snapshots: this.snapshots });
    await matchUrl(this.dataSource, database, log);
  }

  private async enterSetup(): Promise<void> {
    const previousApp = this.app;
    this.app = null;
    this.handleWith(this.setupHandler());
    this.context.toolsChanged.publish(undefined);
    if (previousApp) await this.leave(previousApp);
  }

  private async leave({
    running,
    database,
    cluster,
  }: {
    running: HostApp;
    database: Database;
    cluster: Cluster | null;
  }): Promise<void> {
    this.streams.endAll();
    // A leftover file holds a token that opens nothing; it is overwritten when developer mode is on
    // again.
    await this.developer.follow(false).catch((error: unknown) => {
      this.options.log.error('plugins', 'dev.json could not be removed', error);
    });
    await running.close();
    await cluster?.close();
    await database.close();
  }

  private setupHandler(): Listener {
    return this.handlerOf(
      [healthRoute(), ...createSetup({ ...this.context.setup, mode: 'SETUP' }).routes],
      'SETUP',
    );
  }

  private handlerOf(routes: Route[], mode: 'SETUP' | 'APP'): Listener {
    const { resources, token, paths, log, properties } = this.options;
    const { allowedHosts } = properties;
    const frameOrigins = (): string[] => localOrigins(this.port, allowedHosts);
    const web =
      resources.shell === null
        ? []
        : [
            ...this.sessions.routes(),
            ...shellRoutes(resources.shell, frameOrigins, this.appearance),
          ];
    const listener = mount({
      routes: [...routes, ...web],
      port: () => this.port,
      allowedHosts,
      token: Buffer.from(token, 'utf8'),
      developerToken: this.developer.token,
      tickets: this.context.tickets,
      mode,
      onRequest: requestLogger(log),
      streams: this.streams,
      uploadDirectory: paths.staging,
      unknownRoute: () =>
        mode === 'SETUP'
          ? new HostError('missing', 'setup_required', msg('setup.required'))
          : new HostError('missing', 'not_found', msg('start.nothingHere')),
      onUnknownError: (error, req) => {
        // The mode changed during this request, so its database is closed.
        if (this.handler !== listener) return changing();
        const problem = databaseProblem(error);
        if (problem) return problem;
        log.error('http', `${requestName(req)} failed`, error);
        return undefined;
      },
    });
    return listener;
  }

  private handleWith(handler: Listener): void {
    this.handler = handler;
    for (const run of this.pendingRequests.splice(0)) run();
  }

  async close(): Promise<void> {
    this.server.close();
    await this.served?.close();
    this.streams.endAll();
    const previousApp = this.app;
    this.app = null;
    if (previousApp) await this.leave(previousApp);
    this.server.closeAllConnections();
  }
}

function changing(): HostError {
  return new HostError('unavailable', 'database_unavailable', msg('start.databaseChanging'));
}
