import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleForNode } from '../../scripts/build.ts';
import { type Server, startServer } from './processes.ts';
import { firstAnswer } from './wire.ts';

const root = join(import.meta.dirname, '..', '..');
const entry = join(root, 'dist', 'main', 'index.mjs');

export const healthPath = '/api/health';
export const token = 'bench';

/** Starts the built host in a working directory. */
export function startHost(workDirectory: string, ...flags: string[]): Promise<Server> {
  return startServer([...hostArgs(workDirectory), ...flags], hostVariables);
}

export const hostVariables = { HOST_AUTH_TOKEN: token };

/** Entry and flags of the built host. */
export function hostArgs(workDirectory: string): string[] {
  if (!existsSync(entry)) throw new Error('There is no dist/main. Run npm run build first.');
  return [entry, '--headless', '--port=0', `--work-dir=${workDirectory}`];
}

/** Prepares a working directory in APP mode, as a first start leaves it. */
export async function prepareHost(workDirectory: string): Promise<void> {
  await mkdir(workDirectory);
  const host = await startHost(workDirectory, '--setup=SQLITE');
  await firstAnswer(host.port, healthPath);
  await host.stop();
}

/** Starts either server. */
export interface TwoServers {
  ours(): Promise<Server>;
  bare(): Promise<Server>;
}

/**
 * Prepares the host and a minimal server with Express, Sequelize and sqlite3, on copies of one
 * database file.
 */
export async function prepareTwoServers(directory: string): Promise<TwoServers> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const database = join(directory, 'bare.db');
  await copyFile(join(workDirectory, '.host', 'database', 'host.db'), database);
  // The bundle requires sqlite3 by name, as the host's does.
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const input = join(import.meta.dirname, '..', 'bare', 'database-server.ts');
  await bundleForNode(input, join(directory, 'bare'));
  return {
    ours: () => startHost(workDirectory),
    bare: () => startServer([join(directory, 'bare', 'database-server.mjs'), database]),
  };
}
