import type { DatabaseType } from '../contract/index.ts';
import type { Desktop } from '../platform/desktop.ts';
import type { Log } from '../platform/log.ts';
import type { HostPaths } from '../platform/paths.ts';

/** Folders of built files that the service serves or installs. */
export interface Resources {
  /** The shell page, or null where it is not served. */
  shell: string | null;
  bridge: string;
  plugins: string;
}

export interface HostOptions {
  paths: HostPaths;
  /** 0: chosen by the system. With `fallback` a taken port is replaced by one that the system chooses. */
  port: { number: number; fallback: boolean };
  token: string;
  /** Null: the random id of this installation is used. */
  machineKey: string | null;
  log: Log;
  /** A level given at launch holds until the setting is changed. */
  logLevelGiven: boolean;
  resources: Resources;
  desktop: Desktop | null;
  /** First launch only: this embedded database is initialized without the wizard. */
  setup: DatabaseType | null;
  /** Called as soon as the server listens. */
  onListening?: (port: number) => void;
  /** The clock that tickets expire by, in milliseconds; default: the monotonic one. */
  now?: () => number;
}
