import { randomFillSync } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { type Server } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf, Wire } from './harness/wire.ts';

const rounds = 15;
const warmUps = 3;
const files = 1_000;
const folders = 20;
const fileBytes = 4 * 1024;
const id = 'bench.files';
const boundary = 'bench-boundary';

/** Uploads a directory of 1 000 files for a plugin over HTTP, against writing the files. */
export async function uploadDirectory(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  let wire: Wire | undefined;
  try {
    await firstAnswer(host.port, healthPath);
    await install(host);
    wire = await Wire.open(host.port);
    const upload = uploadRequest(host.port);
    const open = wire;
    const pairs = await interleave(
      rounds,
      {
        ours: () => milliseconds(() => open.ask(upload)),
        bare: () => writeAll(join(directory, 'bare')),
      },
      warmUps,
    );
    const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
    const name = 'directory of 1 000 files';
    return [compare({ name, unit: 'ms', ...sides, target: { most: 2 } })];
  } finally {
    wire?.close();
    await host.stop();
  }
}

const content = randomFillSync(Buffer.alloc(fileBytes));
const pathOf = (file: number): string => `docs/part-${file % folders}/file-${file}.bin`;

/** The bytes of the request, built once: the browser's own cost is not measured. */
function uploadRequest(port: number): Buffer {
  const part = (name: string, rest: string): Buffer =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`);
  const end = Buffer.from('\r\n');
  const body = Buffer.concat([
    ...Array.from({ length: files }, (_, file) => [
      ...[part('paths[]', ''), Buffer.from(pathOf(file)), end],
      ...[part('files', `; filename="file-${file}.bin"`), content, end],
    ]).flat(),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const path = api.files.uploadDirectory.path.replace('{id}', id);
  const head = requestOf(port, `POST ${path}`, token).replace(
    /\r\n\r\n$/,
    `\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  return Buffer.concat([Buffer.from(head), body]);
}

async function writeAll(directory: string): Promise<number> {
  const tookMs = await milliseconds(async () => {
    for (let folder = 0; folder < folders; folder += 1)
      await mkdir(join(directory, 'docs', `part-${folder}`), { recursive: true });
    for (let file = 0; file < files; file += 1)
      await writeFile(join(directory, pathOf(file)), content);
  });
  await rm(directory, { recursive: true });
  return tookMs;
}

async function install({ port }: Server): Promise<void> {
  const bytes = await packPlugin({ manifest: { id, permissions: ['files.read'] } });
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => token });
  const file = new Blob([new Uint8Array(bytes)]);
  await client.call(api.market.upload, { file, fileName: 'files.plugin' });
}
