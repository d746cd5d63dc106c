import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WritableSettings } from '../contract/index.ts';
import { freshPackage, type Plugin, type PluginHost, createPlugins } from '../features/plugins/index.ts';
import { createTools, type ToolResult, type ToolRun, type ToolsFeature } from '../features/tools/index.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createIsolation } from '../platform/isolation/isolation.ts';
import { createLog } from '../platform/log.ts';
import { type HostPaths, hostPaths, makeFolders } from '../platform/paths.ts';
import { createProcesses } from '../platform/processes.ts';
import { createSecrets } from '../platform/secrets.ts';

export interface OpenTools extends ToolsFeature {
  plugins: PluginHost;
  paths: HostPaths;
  /** May be changed. */
  settings: WritableSettings;
  /** A call in the sandbox, unless `run` says otherwise. */
  call(name: string, args: unknown, run?: Partial<ToolRun>): Promise<ToolResult>;
  /** The same with its JSON read. */
  json(name: string, args: unknown, run?: Partial<ToolRun>): Promise<Record<string, unknown>>;
  install(bytes: Buffer): Promise<Plugin>;
  close(): Promise<void>;
}
