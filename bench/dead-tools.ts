import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { interleave, median, type Sample } from './harness/measure.ts';
import type { Server } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { askHost, startChatHost, startModel } from './harness/turns.ts';
import { prepareHost, token } from './harness/two-servers.ts';

const rounds = 21;
const warmUps = 5;
const turnsPerSample = 20;
const deadPlugins = 10;
const workers = join(import.meta.dirname, '..', 'service', 'testing', 'workers');

/**
 * Time to the first token of a turn while the workers of 10 plugins with tools are dead, against no
 * dead workers.
 */
export async function deadTools(directory: string): Promise<Row[]> {
  const model = await startModel();
  const servers = [model];
  try {
    const start = async (name: string): Promise<Server> => {
      const workDirectory = join(directory, name);
      await prepareHost(workDirectory);
      const host = await startChatHost(workDirectory, model);
      servers.push(host);
      return host;
    };
    const [host, bare] = [await start('dead'), await start('bare')];
    await addDeadPlugins(host);
    const pairs = await interleave(
      rounds,
      { ours: firstWord(host), bare: firstWord(bare) },
      warmUps,
    );
    const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
    const name = `first word, ${deadPlugins} dead tools`;
    return [compare({ name, unit: 'ms', ...sides, target: { most: 1.2 } })];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function firstWord(host: Server): Sample {
  const ask = askHost(host);
  return async () => {
    const times: number[] = [];
    for (let turn = 0; turn < turnsPerSample; turn += 1)
      times.push((await ask({ tokens: 1, paceMs: 0 })).firstMs);
    return median(times);
  };
}

/** Half of the workers exited with an error; the others run but do not answer. */
async function addDeadPlugins({ port }: Server): Promise<void> {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => token });
  for (let number = 0; number < deadPlugins; number += 1) {
    const ends = number % 2 === 0;
    await install(client, number, ends ? 'stillborn.mjs' : 'silent.mjs');
    const body = { callId: `call-${number}`, method: 'work', params: {} };
    const params = { id: `bench.dead${number}` };
    const called = client.call(api.plugins.invoke, { params, body }).catch(() => undefined);
    if (ends) await called;
  }
  await checkTools(client);
}

async function install(client: Client, number: number, worker: string): Promise<void> {
  const tool = { name: `work_${number}`, description: 'Works.', method: 'work', effect: 'read' };
  const bytes = await packPlugin({
    manifest: {
      id: `bench.dead${number}`,
      name: `Dead ${number}`,
      worker: { runtime: 'node' },
      methods: { work: { timeoutSeconds: 600 } },
      aiTools: [tool],
    },
    files: {
      'backend/worker.jar': null,
      'backend/worker.mjs': await readFile(join(workers, worker)),
    },
  });
  const file = new Blob([new Uint8Array(bytes)]);
  await client.call(api.market.upload, { file, fileName: 'dead.plugin' });
}

/** Checks the setup: each tool is offered, and no worker is healthy. */
async function checkTools(client: Client): Promise<void> {
  const tools = await client.call(api.tools.list);
  const offered = tools.filter((tool) => tool.name.startsWith('work_')).length;
  const states = (await client.call(api.plugins.list)).map(({ state }) => state);
  if (offered === deadPlugins && !states.some((state) => state === 'running')) return;
  throw new Error(`${offered} tools are offered; the workers are ${states.join(', ')}.`);
}
