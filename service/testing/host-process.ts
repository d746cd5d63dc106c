import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hostPaths } from '../app/index.ts';
import { type Client, createClient } from '../client/index.ts';
import { followRuns } from './agent-host.ts';
import { soonLostMs, useDatabaseOf } from './cluster-hosts.ts';
import type { MadeDatabase } from './database-servers/index.ts';

/** A host of a cluster in its own process, which can be killed and frozen. */
export interface HostProcess extends ReturnType<typeof followRuns> {
  hostId: string;
  client: Client;
  workDirectory: string;
  /** Sends SIGKILL; the host cleans nothing up. */
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** Sends SIGTERM; resolves when it has exited. */
  stop(): Promise<void>;
  /** Kills it and deletes its files. */
  close(): Promise<void>;
}

const program = join(import.meta.dirname, '..', '..', 'main', 'index.ts');

/** Starts a host from the sources that counts as lost after `soonLostMs`. */
export async function startHostProcess(name: string, made: MadeDatabase): Promise<HostProcess> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'test-host-'));
  const token = randomBytes(16).toString('hex');
  const child = spawn(
    process.execPath,
    [
      program,
      '--headless',
      '--port=0',
      `--work-dir=${workDirectory}`,
      `--token=${token}`,
      '-Dhost.cluster=true',
      `-Dhost.cluster.name=${name}`,
      `-Dhost.cluster.lost-after=${soonLostMs / 1_000}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await portOf(child);
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl, token: () => token });
  await useDatabaseOf(client, made);
  const hostId = (await readFile(hostPaths(workDirectory).hostId, 'utf8')).trim();
  return {
    ...followRuns({ client }),
    hostId,
    client,
    workDirectory,
    kill: () => void child.kill('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(workDirectory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('The output of the host is not read.');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^HOST_PORT=(\d+)$/.exec(line)?.[1];
    if (port !== undefined) {
      child.stdout.resume();
      return Number(port);
    }
  }
  throw new Error('The host ended before it listened.');
}
