import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { interleave } from './harness/measure.ts';
import type { Server } from './harness/processes.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';
import { healthPath, prepareTwoServers } from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';

const rounds = 3;
const lookEveryMs = 250;
/** Memory counts as settled when it moved by less than this part over so many looks. */
const settledPart = 0.005;
const settledLooks = 8;
const settleLimitMs = 12_000;
const target = { most: 1.25 };

/** Resident memory of a started host that nobody uses. */
export async function memory(directory: string): Promise<Row[]> {
  const name = 'idle memory';
  if (process.platform !== 'linux') return [notMeasured(name, target, 'needs /proc')];
  const servers = await prepareTwoServers(directory);
  const { ours, bare } = await interleave(
    rounds,
    { ours: () => idleMebibytes(servers.ours), bare: () => idleMebibytes(servers.bare) },
    0,
  );
  return [compare({ name, unit: 'MiB', ours, other: bare, against: 'bare', target })];
}

async function idleMebibytes(start: () => Promise<Server>): Promise<number> {
  const server = await start();
  try {
    await firstAnswer(server.port, healthPath);
    return await settled(() => residentMebibytes(server.pid));
  } finally {
    await server.stop();
  }
}

async function settled(read: () => Promise<number>): Promise<number> {
  const seen: number[] = [];
  const end = performance.now() + settleLimitMs;
  for (;;) {
    seen.push(await read());
    const last = seen.slice(-settledLooks);
    const moved = Math.max(...last) - Math.min(...last);
    const isSettled = last.length === settledLooks && moved <= settledPart * last.at(-1)!;
    if (isSettled || performance.now() > end) return last.at(-1)!;
    await delay(lookEveryMs);
  }
}

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error('The kernel does not tell VmRSS.');
  return Number(kibibytes) / 1_024;
}
