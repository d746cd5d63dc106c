import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './harness/processes.ts';
import { residentMebibytes, settledMebibytes } from './harness/resident.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';
import { askHost, startChatHost, startModel } from './harness/turns.ts';
import { prepareHost } from './harness/two-servers.ts';

const rounds = 3;
const turnCount = 50;
const order = { tokens: 2_000, paceMs: 0 };
const pollIntervalMs = 10;
const name = `${turnCount} turns at once`;
const target = { addedMiB: 150 };

/** Peak memory of 50 concurrent turns, against the same host before its first turn. */
export async function turnsAtOnce(directory: string): Promise<Row[]> {
  if (process.platform !== 'linux') return [notMeasured(name, target, 'needs /proc')];
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const model = await startModel();
  const ours: number[] = [];
  const idle: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const host = await startChatHost(workDirectory, model);
      try {
        idle.push(await settledMebibytes(host.pid));
        ours.push(await peakOf(host));
      } finally {
        await host.stop();
      }
    }
  } finally {
    await model.stop();
  }
  return [compare({ name, unit: 'MiB', ours, other: idle, against: 'bare', target })];
}

async function peakOf(host: Server): Promise<number> {
  const ask = askHost(host);
  let running = true;
  const turns = Promise.all(Array.from({ length: turnCount }, () => ask(order))).finally(
    () => (running = false),
  );
  let peak = 0;
  while (running) {
    peak = Math.max(peak, await residentMebibytes(host.pid));
    await delay(pollIntervalMs);
  }
  await turns;
  return peak;
}
