import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { api, tokenHeader } from '../service/contract/index.ts';
import { interleave } from './harness/measure.ts';
import { type Server, startNode, startServer, stop } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf } from './harness/wire.ts';
import type { GetLoad } from './load/get-load.ts';

const rounds = 30;
const warmUps = 6;
const connections = 8;
const forMs = 300;
const { path } = api.plugins.categories;

/**
 * A small authenticated GET without database work, against a bare Express route with the same JSON.
 */
export async function get(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  const load = startLoad();
  let bare: Server | undefined;
  try {
    await firstAnswer(host.port, healthPath);
    bare = await startServer([
      join(import.meta.dirname, 'bare', 'json-server.ts'),
      path,
      await bodyOf(host),
    ]);
    const ports = { ours: host.port, bare: bare.port };
    const rate = async (port: number): Promise<number> => {
      const request = requestOf(port, `GET ${path}`, token);
      load.send({ port, request, connections, forMs } satisfies GetLoad);
      const [answer] = (await once(load, 'message')) as [number];
      return answer;
    };
    const pairs = await interleave(
      rounds,
      { ours: () => rate(ports.ours), bare: () => rate(ports.bare) },
      warmUps,
    );
    const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
    return [compare({ name: 'small GET', unit: '/s', ...sides, target: { least: 0.85 } })];
  } finally {
    await Promise.all([host.stop(), bare?.stop(), stop(load)]);
  }
}

function startLoad(): ChildProcess {
  const program = join(import.meta.dirname, 'load', 'get-load.ts');
  return startNode([program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function bodyOf({ port }: Server): Promise<string> {
  const url = `http://127.0.0.1:${port}${path}`;
  const answer = await fetch(url, { headers: { [tokenHeader]: token } });
  return answer.text();
}
