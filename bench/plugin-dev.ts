import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { linePipe } from './bare/line-pipe.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { startNode, stop } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';

const rounds = 7;
const name = 'change of a developed plugin is live';
const id = 'com.example.developed';
const program = join(import.meta.dirname, '../dist/kit/bin/plugin-host-plugin.mjs');
const echo = join(import.meta.dirname, 'bare', 'echo-worker.mjs');
const pollMs = 10;
const limitMs = 60_000;

/** Time from saving a worker under `dev` to the first answered call, against a bare worker. */
export async function pluginDev(directory: string): Promise<Row[]> {
  const plugin = join(directory, 'developed');
  await finished(spawn(process.execPath, [program, 'init', plugin, `--id=${id}`]));
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  await firstAnswer(host.port, healthPath);
  const baseUrl = `http://127.0.0.1:${host.port}`;
  const client = createClient({ baseUrl, token: () => token });
  await client.call(api.settings.put, { body: { developerMode: true } });
  const answers = async (text: string): Promise<boolean> => {
    const body = { callId: crypto.randomUUID(), method: 'orders', params: {} };
    const asked = client.call(api.plugins.invoke, { params: { id }, body });
    return JSON.stringify(await asked.catch(() => null)).includes(text);
  };
  const args = [program, 'dev', plugin, `--host=${baseUrl}`, `--token=${token}`];
  const dev = spawn(process.execPath, args, { stdio: 'ignore' });
  try {
    const worker = join(plugin, 'backend', 'worker.mjs');
    let label = 'Most frequent first';
    await until(() => answers(label));
    let changes = 0;
    const change = async (): Promise<number> => {
      changes += 1;
      const text = (await readFile(worker, 'utf8')).replace(label, `Change ${changes}.`);
      label = `Change ${changes}.`;
      return milliseconds(async () => {
        await writeFile(worker, text);
        await until(() => answers(label));
      });
    };
    const pairs = await interleave(rounds, { ours: change, bare: bareWorker }, 1);
    const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
    return [compare({ name, unit: 'ms', ...sides, target: { mostMs: 2_000 } })];
  } finally {
    dev.kill('SIGTERM');
    await finished(dev);
    await host.stop();
  }
}

/** Starts a worker without host, package and sandbox, and calls it once. */
async function bareWorker(): Promise<number> {
  const child = startNode([echo], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pipe = linePipe(child);
  try {
    return await milliseconds(() => new Promise((done) => pipe({ text: 'one' }, done)));
  } finally {
    await stop(child);
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedMs > limitMs) throw new Error('The plugin did not change.');
    await delay(pollMs);
  }
}

const finished = (child: ReturnType<typeof spawn>): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
