import type { DatabaseType } from '../contract/index.ts';
import type { H2Paths } from '../platform/database/h2/h2-runtime.ts';
import type { Migration } from '../platform/database/migrate.ts';
import type { BuildFacts } from '../features/updates/index.ts';
import type { Desktop } from '../platform/desktop.ts';
import type { Log } from '../platform/log.ts';
import type { HostPaths } from '../platform/paths.ts';
import type { WallClock } from '../platform/wall-clock.ts';

/** Folders of built files that the service serves or installs. */
export interface Resources {
  /** The shell page, or null where it is not served. */
  shell: string | null;
  bridge: string;
  plugins: string;
  /** The plugin kit: its libraries and templates. */
  kit: string;
  /** The parsers of command lines. */
  shellGrammars: string;
  /** Classes of the bridge to H2, where they were built. */
  h2Bridge: string | null;
}

/** What else the launch says; null where it says nothing. */
export interface LaunchProperties {
  /** Address of the catalog of plugins: http, https or file. */
  catalogUrl: string | null;
  /** Absolute path of the file that names STDIO servers. */
  mcpServersFile: string | null;
  /** Where metrics are exported to: http or https. */
  otlpMetricsUrl: string | null;
  /** Where traces are exported to: http or https. */
  otlpTracesUrl: string | null;
  /** Absolute path of the H2 engine. */
  h2Jar: string | null;
  /** Absolute path of the Chromium that shows pages to models; null: one that is found. */
  browserPath: string | null;
  /** The X11 display that models see and control; null: there is none. */
  computerDisplay: string | null;
  /** `ip:port` each: addresses that the web guard lets through. */
  webAllow: readonly string[];
  /** `name:port` each: what this host is called where a port is forwarded or a proxy stands before it. */
  allowedHosts: readonly string[];
}

/** Where the parts of H2 are looked for. */
export function h2PathsOf({
  properties,
  resources,
}: Pick<HostOptions, 'properties' | 'resources'>): H2Paths {
  return { jarProperty: properties.h2Jar, bridgeDirectory: resources.h2Bridge };
}

export interface HostOptions {
  paths: HostPaths;
  /** 0: chosen by the system. With `fallback` a taken port is replaced by one that the system chooses. */
  port: { number: number; fallback: boolean };
  token: string;
  /** Null: the random id of this installation is used. */
  machineKey: string | null;
  log: Log;
  properties: LaunchProperties;
  /** A level given at launch holds until the setting is changed. */
  logLevelFromLaunch: boolean;
  resources: Resources;
  desktop: Desktop | null;
  build: BuildFacts;
  /** First launch only: this embedded database is initialized without the wizard. */
  setup: DatabaseType | null;
  /** Called as soon as the server listens. */
  onListening?: (port: number) => void;
  /** The clock that tickets expire by, in milliseconds; default: the monotonic one. */
  now?: () => number;
  /** The clock that schedules go by; default: the one of the machine. */
  wallClock?: WallClock;
  /** The folders that bubblewrap is looked for in, as PATH writes them; default: PATH. */
  sandboxPath?: string;
  /** For tests: without a sandbox all plugins run, and nobody is asked. */
  trustsPlugins?: boolean;
  /** For tests: how long a step of a run waits for a person that nobody is, and until that is told. */
  gateWaits?: { gateLimitMs?: number; gateGraceMs?: number };
  /** For tests: the schema of another release. */
  migrations?: readonly Migration[];
}
