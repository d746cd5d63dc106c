import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveUpload, type Upload } from './uploads.ts';

const boundary = 'frontier';
let directory: string;
let server: Server;
let received: Promise<Upload>;
/** Set as soon as a request arrives. */
let started: boolean;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'many-files-'));
  started = false;
  server = createServer((req, res) => {
    received = receiveUpload(req, { file: 'files', many: true }, directory);
    started = true;
    received.then(
      () => res.end('taken'),
      () => res.end('refused'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});

const part = (index: number, content: Buffer): Buffer[] => [
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="f${index}"\r\n\r\n`,
  ),
  content,
  Buffer.from('\r\n'),
];
const bodyOf = (contents: readonly Buffer[]): Buffer =>
  Buffer.concat([
    ...contents.flatMap((content, index) => part(index, content)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
async function send(body: Buffer, bytes = body.length): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const type = `multipart/form-data; boundary=${boundary}`;
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head);
  await new Promise<void>((resolve) => socket.write(body.subarray(0, bytes), () => resolve()));
  await expect.poll(() => started).toBe(true);
  return socket;
}

it('files of every size arrive unchanged, in order, and readable only by their owner', async () => {
  const border = 64 * 1024;
  const sizes = [0, 1, border - 1, 3 * border, border, 0, border + 1, 1_000_000, 7];
  const contents = [...sizes, ...sizes, ...sizes].map((size) => randomBytes(size));
  await send(bodyOf(contents));
  const { files, folder } = await received;
  expect(files.map(({ name }) => name)).toEqual(contents.map((_, index) => `f${index}`));
  for (const [index, { path, sizeBytes, sha256 }] of files.entries()) {
    const content = contents[index]!;
    expect(content.equals(await readFile(path))).toBe(true);
    expect({ sizeBytes, sha256 }).toEqual({
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
  }
  expect(await readdir(folder)).toHaveLength(contents.length);
});

it.each([
  ['small', 4_000, 300],
  ['large', 400_000, 5],
])('when the client leaves between %s files nothing stays', async (_, bytes, count) => {
  const contents = Array.from({ length: count }, () => randomBytes(bytes));
  const body = bodyOf(contents);
  const socket = await send(body, Math.floor(body.length * 0.7));
  const folders = (): Promise<string[]> => readdir(directory);
  await expect
    .poll(async () => (await readdir(join(directory, (await folders())[0]!))).length)
    .toBeGreaterThan(0);
  socket.destroy();
  await expect(received).rejects.toMatchObject({ code: 'aborted' });
  expect(await folders()).toEqual([]);
});

it('an upload that cannot be written to disk ends with an error and leaves no files', async () => {
  const contents = Array.from({ length: 300 }, () => randomBytes(4_000));
  const body = bodyOf(contents);
  const socket = await send(body, 100_000);
  await expect.poll(() => readdir(directory)).toHaveLength(1);
  await rm(join(directory, (await readdir(directory))[0]!), { recursive: true, maxRetries: 10 });
  socket.write(body.subarray(100_000));
  await expect(received).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(directory)).toEqual([]);
});
