import { interleave } from './harness/measure.ts';
import type { Server } from './harness/processes.ts';
import { settledMebibytes } from './harness/resident.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';
import { healthPath, prepareTwoServers } from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';

const rounds = 3;
const target = { most: 1.25 };

/** Resident memory of an idle host after its start. */
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
    return await settledMebibytes(server.pid);
  } finally {
    await server.stop();
  }
}
