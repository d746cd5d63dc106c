import type { DatabaseType } from '../contract/index.ts';
import type { H2Paths } from '../platform/database/h2/h2-runtime.ts';
import type { Migration } from '../platform/database/migrate.ts';
import type { BuildFacts } from '../features/updates/index.ts';
import type { Desktop } from '../platform/desktop.ts';
import type { Log } from '../platform/log.ts';
import type { HostPaths } from '../platform/paths.ts';
import type { WallClock } from '../platform/wall-clock.ts';

/** Absolute paths of the built files that the service serves or installs. */
export interface Resources {
  /** Folder of the shell page; null when it is not served. */
  shell: string | null;
  /** Folder of the built bridge scripts of plugin pages. */
  bridge: string;
  /** Folder of the built script that draws diagrams of answers. */
  answerFrame: string;
  /** Folder of the plugin packages that ship with the host. */
  plugins: string;
  /** Folder of the parsers of command lines. */
  shellGrammars: string;
  /** Folder of the plugin kit. */
  kit: string;
  /** Folder of the compiled classes of the H2 bridge; null when they were not built. */
  h2Bridge: string | null;
}

/** Settings of a host that shares its database with others. */
export interface ClusterProperties {
  /** Display name; null: the name of the machine. */
  name: string | null;
  /** Time without a heartbeat after which a host is lost, in ms. */
  lostAfterMs: number;
}

/** Options of the launch; null where an option is not set. */
export interface LaunchProperties {
  /** URL of the catalog of plugins: http, https or file. */
  catalogUrl: string | null;
  /** Absolute path of the JSON file with MCP servers over stdio. */
  mcpServersFile: string | null;
  /** URL that metrics are exported to: http or https. */
  otlpMetricsUrl: string | null;
  /** URL that traces are exported to: http or https. */
  otlpTracesUrl: string | null;
  /** Absolute path of the H2 jar. */
  h2Jar: string | null;
  /**
   * Absolute path of the Chromium that shows pages to models; null: an installed one is searched
   * for.
   */
  browserPath: string | null;
  /** The X11 display that models see and control, such as `:1`; null: none. */
  computerDisplay: string | null;
  /** `ip:port` each: private addresses that the web guard allows. */
  webAllow: readonly string[];
  /** `name:port` each: other names of this host, behind a forwarded port or a proxy. */
  allowedHosts: readonly string[];
  /** Settings of the cluster; null for a single host. */
  cluster: ClusterProperties | null;
}

/** Returns the paths where the parts of H2 are searched for. */
export function h2PathsOf({
  properties,
  resources,
}: Pick<HostOptions, 'properties' | 'resources'>): H2Paths {
  return { jarProperty: properties.h2Jar, bridgeDirectory: resources.h2Bridge };
}

/** Options from the launcher. */
export interface HostOptions {
  paths: HostPaths;
  /**
   * 0: chosen by the system. With `fallback`, a port in use is replaced with one that the system
   * chooses.
   */
  port: { number: number; fallback: boolean };
  /** The bearer token of the API. */
  token: string;
  /** Null: the random id of this installation is used. */
  machineKey: string | null;
  log: Log;
  properties: LaunchProperties;
  /** True if the launch set the log level, which then applies until the setting is changed. */
  logLevelFromLaunch: boolean;
  resources: Resources;
  /** The desktop app; null for a headless host. */
  desktop: Desktop | null;
  build: BuildFacts;
  /**
   * First launch only: this embedded database is initialized without the wizard. Null: the wizard
   * asks.
   */
  setup: DatabaseType | null;
  /** Called once the server listens, before the database is open. */
  onListening?: (port: number) => void;
  /** Clock of ticket expiry, in ms; default: the monotonic clock. */
  now?: () => number;
  /** Clock of schedules; default: the system clock. */
  wallClock?: WallClock;
  /** Folders to search for bubblewrap, in the format of PATH; default: PATH. */
  sandboxPath?: string;
  /** For tests: plugins run without a sandbox and without a confirmation. */
  trustsPlugins?: boolean;
  /**
   * For tests: how long a step of an unattended run waits for approval, and when this is reported,
   * in ms.
   */
  gateWaits?: { gateLimitMs?: number; gateGraceMs?: number };
  /** For tests: the version of another release. */
  version?: string;
  /** For tests: the migrations of another release. */
  migrations?: readonly Migration[];
}
