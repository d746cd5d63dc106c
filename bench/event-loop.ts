import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { packLarge } from './harness/large-package.ts';
import type { LoopDelay } from './harness/loop-delay.ts';
import { median } from './harness/measure.ts';
import { startNode, stop, reportedPort } from './harness/processes.ts';
import { measured, type Row } from './harness/table.ts';
import { hostArgs, healthPath, hostVariables, prepareHost, token } from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';

const rounds = 3;
const uploadBytes = 500 * 1024 ** 2;
const mostMs = 50;
const id = 'bench.files';

/** How long the host's main thread blocks while it receives 500 MB and installs. */
export async function eventLoop(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  const [large, upload] = [join(directory, 'large.plugin'), join(directory, 'upload.bin')];
  await prepareHost(workDirectory);
  await packLarge(large);
  await writeNoise(upload);
  const host = await startMeasuredHost(workDirectory);
  try {
    await firstAnswer(host.port, healthPath);
    const client = createClient({ baseUrl: `http://127.0.0.1:${host.port}`, token: () => token });
    await installReader(client);
    const delays: LoopDelay[] = [];
    for (let round = 0; round < rounds; round += 1) {
      host.start();
      await Promise.all([sendFile(client, upload), installWhole(client, large)]);
      delays.push(await host.end());
    }
    const [p99, longest] = [
      median(delays.map((delay) => delay.p99)),
      Math.max(...delays.map(({ max }) => max)),
    ];
    const summary = `${p99.toFixed(1)} ms, at most ${longest.toFixed(0)}`;
    const name = '500 MB sent, a package installed: loop p99';
    return [measured(name, summary, `≤ ${mostMs} ms`, p99 <= mostMs)];
  } finally {
    await host.stop();
  }
}

async function sendFile(client: Client, path: string): Promise<void> {
  const file = await openAsBlob(path);
  await client.call(api.files.upload, { params: { id }, file, fileName: 'upload.bin' });
}

async function installWhole(client: Client, path: string): Promise<void> {
  const file = await openAsBlob(path);
  await client.call(api.market.upload, { file, fileName: 'large.plugin' });
}

async function installReader(client: Client): Promise<void> {
  const bytes = await packPlugin({ manifest: { id, permissions: ['files.read'] } });
  const file = new Blob([new Uint8Array(bytes)]);
  await client.call(api.market.upload, { file, fileName: 'files.plugin' });
}

async function writeNoise(path: string): Promise<void> {
  const piece = randomFillSync(Buffer.alloc(4 * 1024 ** 2));
  const file = await open(path, 'w');
  for (let written = 0; written < uploadBytes; written += piece.length) await file.write(piece);
  await file.close();
}

/** Starts the built host with the measurement loaded into it. */
async function startMeasuredHost(workDirectory: string) {
  const measure = join(import.meta.dirname, 'harness', 'loop-delay.ts');
  const child = startNode(['--import', measure, ...hostArgs(workDirectory)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...hostVariables },
  });
  return {
    port: await reportedPort(child),
    start: () => void child.send('begin'),
    async end(): Promise<LoopDelay> {
      const report = once(child, 'message') as Promise<[LoopDelay]>;
      child.send('end');
      const [delay] = await report;
      return delay;
    },
    stop: () => stop(child),
  };
}
