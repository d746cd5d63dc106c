import { setTimeout as delay } from 'node:timers/promises';
import type { OwnServer } from '../database-servers/index.ts';
import { report } from './fault-rounds.ts';
import { createHostWorkspace } from './host-process.ts';
import { failed, startInitialized } from './kill-rounds.ts';
import { Workload } from './workload.ts';

/** Number of successful answers after which the host counts as recovered. */
const healedAnswers = 5;

/** Options of `runServerRounds`. */
export interface ServerRounds {
  name: string;
  rounds: number;
  seed: number;
  server: OwnServer;
  /** Name of a database on the server. */
  database: string;
}

/** Kills the database server at random moments and restarts it, while the host keeps running. */
export async function runServerRounds(options: ServerRounds): Promise<Workload['totals']> {
  const { name, rounds, seed, server, database } = options;
  const workspace = await createHostWorkspace();
  const startedMs = performance.now();
  try {
    const workload = await Workload.make(workspace.paths, seed);
    const host = await startInitialized(workspace, server.config({ database }));
    for (let round = 1; round <= rounds; round += 1) {
      try {
        const { attempts, done } = workload.start(host.client);
        await workload.aMoment(attempts, round);
        attempts.allowed = new Set(['database_unavailable']);
        await server.kill();
        await delay(workload.random.logUniform(1, 500));
        await server.start();
        await attempts.reached(attempts.acknowledged + healedAnswers);
        attempts.stopped = true;
        await done;
        await workload.check(host.client, { startPlugins: false });
      } catch (error) {
        const stderr = host.stderr().slice(-3_000);
        throw failed(`${name}, seed ${seed}, kill ${round} of the server. ${stderr}`, error);
      }
    }
    await host.kill();
    const again = await workspace.start();
    await workload.check(again.client, { startPlugins: true });
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    report(`${name}: its server killed ${rounds} times in ${seconds} s: ${workload.summary()}`);
    return workload.totals;
  } finally {
    await workspace.cleanUp();
  }
}
