import type { PluginManifest } from '../../contract/index.ts';
import type { HostText } from '../../messages/index.ts';
import type { EventLog } from '../../core/event-log.ts';
import type { Log } from '../../platform/log.ts';
import type { PluginConfigs } from './config/plugin-configs.ts';
import type { PluginErrors } from './errors/plugin-errors.ts';
import type { PluginFiles } from './grants/plugin-files.ts';
import type { PackageDirectory } from './packages/package-layout.ts';
import type { PackageListing, PluginOrigin } from './packages/plugin-record.ts';
import type { ParamChecks } from './param-checks.ts';
import type { DataAside } from './plugin-data.ts';
import type { PluginRow, PluginStore } from './plugin-store.ts';
import type { PluginWorker, WorkerCall, WorkerEnvironment } from './workers/plugin-worker.ts';

/** An installed plugin. */
export interface Plugin {
  id: string;
  manifest: PluginManifest;
  /** Null for a `.plugin` package. */
  origin: PluginOrigin | null;
  /** Set for a `.plugin` package from a catalog. */
  listing?: PackageListing;
  directory: string;
  installedAt: Date;
  enabled: boolean;
  source: PluginRow['source'];
  /** True if developer tools installed this copy, while developer mode is on. */
  isDeveloped: boolean;
  worker: PluginWorker;
  log: EventLog;
  errors: PluginErrors;
  checks: ParamChecks;
}

/** Dependencies of `PluginHost`, and the listeners for events of plugins. */
export interface PluginHostOptions {
  packages: PackageDirectory;
  store: PluginStore;
  environment: WorkerEnvironment;
  files: Pick<PluginFiles, 'resolve' | 'drop'>;
  configs: PluginConfigs;
  /** Moves all data of a plugin aside without deleting it. */
  setDataAside: (id: string) => Promise<DataAside>;
  log: Log;
  onQuarantine: (plugin: Plugin, crashes: number, reason: HostText) => void;
  /** Called when another copy replaced the plugin with that id. */
  onReplaced: (id: string) => void;
  onCall: (plugin: Plugin, outcome: string, seconds: number) => void;
}

/** A call of a plugin method. `callId` identifies it for cancellation and progress. */
export interface PluginCall {
  callId: string;
  method: string;
  params?: unknown;
  onProgress?: WorkerCall['onProgress'];
}
