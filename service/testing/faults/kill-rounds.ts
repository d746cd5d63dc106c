import { api, type DatabaseChoice } from '../../contract/index.ts';
import type { DatabaseConfig } from '../../platform/database/database-config.ts';
import { report } from './fault-rounds.ts';
import { type HostWorkspace, type HostProcess, createHostWorkspace } from './host-process.ts';
import { Workload } from './workload.ts';

/** Plugins are started only in every n-th round, as this takes longest. */
const startEvery = 4;

/** Options of `runKillRounds`. */
export interface KillRounds {
  name: string;
  rounds: number;
  seed: number;
  config: DatabaseConfig;
  /** Checks the database files with the database's own tools, while the host is running. */
  checkDatabase?: () => Promise<void>;
}

/**
 * Kills the host at random moments of a workload; after each start all acknowledged data must be
 * there.
 */
export async function runKillRounds(options: KillRounds): Promise<Workload['totals']> {
  const { name, rounds, seed } = options;
  const workspace = await createHostWorkspace({ spare: true });
  const startedMs = performance.now();
  let continued = 0;
  try {
    const workload = await Workload.make(workspace.paths, seed);
    await (await startInitialized(workspace, options.config)).kill();
    for (let round = 0; round <= rounds; round += 1) {
      try {
        const host = await workspace.start();
        if (await inApp(host)) continued += 1;
        const startPlugins = round % startEvery === 0 || round === rounds;
        await workload.check(host.client, { startPlugins });
        await options.checkDatabase?.();
        if (round < rounds) await workAndKill(host, workload, round);
      } catch (error) {
        throw failed(`${name}, seed ${seed}, after ${round} kills`, error);
      }
    }
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const late = continued === 0 ? '' : `, ${continued} times in APP only after "continue"`;
    report(`${name}: ${rounds} kills in ${seconds} s, seed ${seed}: ${workload.summary()}${late}`);
    return workload.totals;
  } finally {
    await workspace.cleanUp();
  }
}

async function workAndKill(host: HostProcess, workload: Workload, round: number): Promise<void> {
  const { attempts, done } = workload.start(host.client);
  await workload.aMoment(attempts, round);
  attempts.stopped = true;
  attempts.allowed = new Set(['unreachable']);
  if (!host.isAlive()) throw new Error(`The host ended by itself. It said:\n${host.stderr()}`);
  await host.kill();
  await done;
}

/** Starts a host on this database and sets it up. */
export async function startInitialized(
  workspace: HostWorkspace,
  config: DatabaseConfig,
): Promise<HostProcess> {
  const host = await workspace.start();
  await host.client.call(api.setup.initialize, { body: choiceOf(config) });
  return host;
}

function choiceOf({ type, ...params }: DatabaseConfig): DatabaseChoice {
  return { type, params };
}

/**
 * On a busy machine the database may not open within the time limit of a start; a person then
 * presses "Continue". Returns true if that was needed.
 */
async function inApp(host: HostProcess): Promise<boolean> {
  if (host.mode === 'APP') return false;
  for (let remainingTries = 10; ; remainingTries -= 1) {
    try {
      await host.client.call(api.setup.continue);
      return true;
    } catch (error) {
      if (remainingTries === 0) throw failed('The host came up in SETUP', error);
    }
  }
}

export function failed(where: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  // Printed at once: a run with many rounds may take an hour.
  report(`${where}: ${why}`);
  return new Error(`${where}: ${why}`, { cause: error });
}
