import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { hostVersion } from '../contract/index.ts';
import { PackageDirectory } from '../features/plugins/index.ts';
import { DataSourceFile } from '../platform/database/data-source-file.ts';
import type { DatabaseConfig, DatabaseType } from '../platform/database/database-config.ts';
import { databaseTypes } from '../platform/database/database-types.ts';
import { createEngines } from '../platform/database/engines.ts';
import { testDatabase } from '../platform/database/open-database.ts';
import { tryCopy } from '../platform/database/try-copy.ts';
import { createIsolation } from '../platform/isolation/isolation.ts';
import type { IsolationReport } from '../platform/isolation/isolation-report.ts';
import { createProcesses } from '../platform/processes.ts';
import { checkMachine, type MissingPiece } from '../platform/machine-check.ts';
import type { HostPaths } from '../platform/paths.ts';
import { createSecrets } from '../platform/secrets.ts';
import { h2PathsOf, type HostOptions } from './options.ts';
import { msg, textOf } from '../messages/index.ts';

/** State of the configured database; `message` is a sentence for the user. */
export type DatabaseFinding =
  | { state: 'not-configured' }
  | { state: 'broken'; message: string }
  | { state: 'in-use' | 'not-made' | 'not-tried'; type: DatabaseType }
  | { state: 'answers'; type: DatabaseType; serverVersion: string; elapsedMs: number }
  | { state: 'fails'; type: DatabaseType; message: string };

/** Report of `doctor` on an installation. */
export interface Examination {
  version: string;
  node: string;
  /** Platform, processor and release of the system, such as `linux x64 (6.1.0)`. */
  platform: string;
  database: DatabaseFinding;
  isolation: IsolationReport;
  plugins: { id: string; version: string }[];
  /** Folders of plugins that cannot be read; `reason` is a sentence. */
  damagedPlugins: { id: string; reason: string }[];
  /** Programs and libraries that the machine lacks. */
  missing: MissingPiece[];
}

/** The installation to examine. */
export interface ExaminationOptions extends Pick<
  HostOptions,
  'machineKey' | 'properties' | 'resources'
> {
  paths: HostPaths;
  /** Resolves with true if a running host holds the lock of the working directory. */
  isRunning: () => Promise<boolean>;
}

/** Examines an installation from outside. Changes nothing, starts no service and needs no lock. */
export async function examine(options: ExaminationOptions): Promise<Examination> {
  const { paths } = options;
  const database = await examineDatabase(options);
  const packages = new PackageDirectory(paths.plugins, paths.staging);
  const { installed, problems } = await packages.list();
  const usesH2 = 'type' in database && database.type === 'H2';
  return {
    version: hostVersion,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch} (${release()})`,
    database,
    isolation: await examineIsolation(paths),
    plugins: installed.map(({ id, manifest }) => ({ id, version: manifest.version })),
    damagedPlugins: problems,
    missing: await checkMachine({ h2Paths: h2PathsOf(options), usesH2 }),
  };
}

async function examineIsolation({ host }: HostPaths): Promise<IsolationReport> {
  const processes = createProcesses();
  try {
    return await createIsolation(processes, { hostRoot: host }, () => false).report();
  } finally {
    await processes.close();
  }
}

async function examineDatabase(options: ExaminationOptions): Promise<DatabaseFinding> {
  let config: DatabaseConfig | null;
  try {
    config = await readConfig(options);
  } catch (error) {
    return { state: 'broken', message: (error as Error).message };
  }
  if (config === null) return { state: 'not-configured' };
  const { type } = config;
  const engines = createEngines(h2PathsOf(options));
  if (!databaseTypes[type].embedded) return found(type, await testDatabase(config, engines));
  if (await options.isRunning()) return { state: 'in-use', type };
  const finding = found(type, await tryCopy(config, engines));
  // A file that a running host is writing may look damaged.
  return finding.state === 'fails' && (await options.isRunning())
    ? { state: 'in-use', type }
    : finding;
}

async function readConfig({
  paths,
  machineKey,
}: ExaminationOptions): Promise<DatabaseConfig | null> {
  // The file is created at the first start; without it, no stored secret needs a key.
  const key = machineKey ?? (await readFile(paths.machineId, 'utf8').catch(() => '')).trim();
  return new DataSourceFile(paths.dataSource, createSecrets(key), paths.workDirectory).read();
}

function found(type: DatabaseType, test: Awaited<ReturnType<typeof tryCopy>>): DatabaseFinding {
  if (test === 'no-file') return { state: 'not-made', type };
  if (test === 'too-large') return { state: 'not-tried', type };
  const { success, serverVersion = '', message = textOf(msg('doctor.noAnswer')), elapsedMs } = test;
  return success
    ? { state: 'answers', type, serverVersion, elapsedMs }
    : { state: 'fails', type, message };
}
