import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostError } from '../core/host-error.ts';
import { receiveUpload } from './uploads.ts';

const maxBytes = 1024 ** 2;
let directory: string;
let server: Server;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'uploads-'));
  server = createServer((req, res) => {
    receiveUpload(req, { file: 'file', many: false }, directory, maxBytes).then(
      () => res.end('received'),
      (error: unknown) => res.end(error instanceof HostError ? error.code : String(error)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

const part = (name: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const noise = 'x'.repeat(64 * 1024);
const fields = Array.from({ length: 30 }, (_, n) => `${part(`f${n}`)}1\r\n`).join('');

/** Sends pieces until the server closes the connection. @returns the response received so far */
async function endless(head: string, piece: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (data) => (answer += String(data)));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const type = 'Content-Type: multipart/form-data; boundary=b';
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  if (head !== '') socket.write(chunk(head));
  const more = (): boolean => socket.destroyed || (socket.write(chunk(piece)) && more());
  socket.on('drain', more);
  more();
  await closed;
  return answer;
}

it.each([
  ['before the first part', '', noise, 'upload_too_large'],
  [
    'behind the last part',
    `${part('file', '; filename="a"')}a\r\n--b--\r\n`,
    noise,
    'upload_too_large',
  ],
  ['in a part that nobody asked for', part('other', '; filename="a"'), noise, 'unexpected_file'],
  ['in fields', '', fields, 'too_many_files'],
])('an upload without end %s is answered and ended', async (_, head, piece, answered) => {
  const answer = await endless(head, piece);
  expect(answer).toContain(answered);
  await expect.poll(async () => (await readdir(directory)).length).toBeLessThan(2);
});
