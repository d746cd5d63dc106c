import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api, type PackageInspection } from '../contract/index.ts';
import { packPlugin } from '../testing/packages.ts';
import { type Answer, startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

let packed: Buffer;
const test = await useForFile(startTestHost());

beforeAll(async () => {
  const files = { 'ui/noise.bin': randomBytes(300_000) };
  packed = await packPlugin({ manifest: { id: 'acme.upload' }, files });
});
afterEach(() => expect.poll(() => readdir(test.paths.staging)).toEqual([]));

const boundary = 'frontier';
const type = `multipart/form-data; boundary=${boundary}`;
interface Part {
  name: string;
  fileName?: string;
  content: Buffer | string;
}
function multipart(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
const upload = (body: Buffer | string, headers: Record<string, string> = {}): Promise<Answer> =>
  test.ask('/api/plugin-market/inspect', {
    method: 'POST',
    headers: { 'Content-Type': type, ...headers },
    body,
  });
const file = (): Part => ({ name: 'file', fileName: 'a.plugin', content: packed });

describe('an upload', () => {
  it('arrives unchanged, with or without an announced length [HTTP-02]', async () => {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const answer = await upload(multipart(file()), headers as Record<string, string>);
      expect(answer.status).toBe(200);
      expect(answer.json() as PackageInspection).toMatchObject({
        id: 'acme.upload',
        sizeBytes: packed.length,
        sha256: createHash('sha256').update(packed).digest('hex'),
      });
    }
  });

  it('may have text fields before or after the file', async () => {
    const wrong: Part = { name: 'sha256', content: '0'.repeat(64) };
    for (const body of [multipart(wrong, file()), multipart(file(), wrong)]) {
      const answer = await upload(body);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'checksum_mismatch' });
    }
  });

  it('never uses the name of the file as a path', async () => {
    for (const fileName of ['../../../evil', '/etc/passwd', 'a\0b', 'C:\\x', '']) {
      const answer = await upload(multipart({ ...file(), fileName }));
      expect([200, 400], fileName).toContain(answer.status);
    }
    expect((await readdir(test.workDirectory)).sort()).toEqual(['.host']);
  });

  it.each<[string, () => Buffer | string, number, string]>([
    ['no file', () => multipart({ name: 'sha256', content: 'x' }), 400, 'file_missing'],
    [
      'the file in another field',
      () => multipart({ ...file(), name: 'package' }),
      400,
      'unexpected_file',
    ],
    ['two files', () => multipart(file(), file()), 400, 'unexpected_file'],
    ['an unfinished body', () => multipart(file()).subarray(0, 1_000), 400, 'invalid_multipart'],
    [
      'another boundary',
      () => multipart(file()).toString('latin1').replaceAll(boundary, 'other'),
      400,
      'invalid_multipart',
    ],
    ['nothing', () => '', 400, 'invalid_multipart'],
    [
      'a field that is far too long',
      () => multipart({ name: 'sha256', content: 'x'.repeat(70_000) }, file()),
      413,
      'field_too_large',
    ],
    [
      'a checksum that is far too long',
      () => multipart({ name: 'sha256', content: 'x'.repeat(5_000) }, file()),
      400,
      'invalid_body',
    ],
    ['an empty file', () => multipart({ ...file(), content: '' }), 400, 'invalid_package'],
    [
      'a file that is no package',
      () => multipart({ ...file(), content: 'x'.repeat(5_000) }),
      400,
      'invalid_package',
    ],
  ])('with %s is refused, and leaves nothing on the disk', async (_, body, status, code) => {
    const answer = await upload(body());
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
  });

  it('with too many fields is refused or cut, and the host keeps running', async () => {
    const fields = Array.from({ length: 1_000 }, (_, i) => ({ name: `f${i}`, content: 'x' }));
    expect([200, 400, 413]).toContain((await upload(multipart(...fields, file()))).status);
    expect((await upload(multipart(file()))).status).toBe(200);
  });

  it('cannot set inherited properties of objects', async () => {
    const body = multipart(
      { name: '__proto__', content: 'x' },
      { name: 'toString', content: 'x' },
      file(),
    );
    expect([200, 400]).toContain((await upload(body)).status);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    'application/json',
    'application/octet-stream',
    'text/plain',
    'multipart/mixed; boundary=x',
    '',
  ])('of the type "%s" is refused [HTTP-02]', async (contentType) => {
    const answer = await upload('{}', { 'Content-Type': contentType });
    expect(answer.status).toBe(415);
    expect(answer.json()).toMatchObject({ code: 'wrong_content_type' });
  });

  it('without a boundary is refused', async () => {
    const answer = await upload('x', { 'Content-Type': 'multipart/form-data; charset=utf-8' });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_multipart' });
  });

  it('announced larger than 2 GiB is refused unread', async () => {
    const answer = await test.raw(
      'POST /api/plugin-market/upload HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nX-Host-Token: {T}\r\n' +
        `Content-Type: ${type}\r\nContent-Length: ${3 * 1024 ** 3}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"upload_too_large"');
  });

  it('whose client disconnects is discarded with its files', async () => {
    const body = multipart(file());
    const head =
      `POST /api/plugin-market/upload HTTP/1.1\r\nHost: 127.0.0.1:${test.port}\r\n` +
      `X-Host-Token: ${test.token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(test.port, '127.0.0.1', () => {
      socket.write(head);
      socket.write(body.subarray(0, 200_000));
    });
    socket.on('error', () => undefined);
    await expect.poll(() => readdir(test.paths.staging)).not.toEqual([]);
    socket.destroy();
    await expect.poll(() => readdir(test.paths.staging)).toEqual([]);
    expect(await test.client.call(api.market.list)).toEqual([]);
  });
});
