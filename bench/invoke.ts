import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { linePipe } from './bare/line-pipe.ts';
import { interleave, median, milliseconds, type Sample } from './harness/measure.ts';
import { type Server, startNode, stop } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf, Wire } from './harness/wire.ts';

const rounds = 15;
const warmUps = 4;
const callsPerSample = 200;
const id = 'bench.echo';
const worker = join(import.meta.dirname, 'bare', 'echo-worker.mjs');
const params = { text: 'How many words are in this sentence?', limit: 10 };

/** Overhead of a plugin call over HTTP, beyond the round trip to its worker. */
export async function invoke(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  const child = startNode([worker], { stdio: ['pipe', 'pipe', 'inherit'] });
  let wire: Wire | undefined;
  try {
    await firstAnswer(host.port, healthPath);
    await install(host);
    wire = await Wire.open(host.port);
    const pipe = linePipe(child);
    const pairs = await interleave(
      rounds,
      {
        ours: overHttp(wire, host.port),
        bare: typical(() => new Promise((done) => pipe(params, done))),
      },
      warmUps,
    );
    const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
    return [
      compare({ name: 'plugin call over HTTP', unit: 'ms', ...sides, target: { addedMs: 1 } }),
    ];
  } finally {
    wire?.close();
    await Promise.all([host.stop(), stop(child)]);
  }
}

function overHttp(wire: Wire, port: number): Sample {
  const line = `POST ${api.plugins.invoke.path.replace('{id}', id)}`;
  let lastCall = 0;
  return typical(() => {
    lastCall += 1;
    const body = JSON.stringify({ callId: `call-${lastCall}`, method: 'echo', params });
    return wire.ask(requestOf(port, line, token, body));
  });
}

/** The median time of one call. */
function typical(call: () => Promise<unknown>): Sample {
  return async () => {
    const times: number[] = [];
    for (let done = 0; done < callsPerSample; done += 1) times.push(await milliseconds(call));
    return median(times);
  };
}

async function install({ port }: Server): Promise<void> {
  const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const bytes = await packPlugin({
    manifest: {
      id,
      name: 'Echo',
      worker: { runtime: 'node' },
      methods: { echo: { params: text } },
    },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': await readFile(worker) },
  });
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => token });
  const file = new Blob([new Uint8Array(bytes)]);
  await client.call(api.market.upload, { file, fileName: 'echo.plugin' });
}
