import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveWeb, type WebServer } from '../../testing/web-server.ts';
import type { FetchOptions } from './exchange.ts';
import { guardedDownload } from './guarded-download.ts';

const content = randomBytes(3 * 1024 ** 2);
const sha256 = createHash('sha256').update(content).digest('hex');

const networkPolicy = { loopback: true, private: false, allow: [] };
const options: FetchOptions = { networkPolicy, maxBytes: 4 * 1024 ** 2, timeoutMs: 60_000 };

let folder: string;
let file: string;
let server: WebServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'download-'));
  file = join(folder, 'x.plugin');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

async function serve(answer: RequestListener): Promise<string> {
  server = await serveWeb(answer);
  return server.base;
}

describe('a guarded download', () => {
  it('writes the body, hashes it and reports progress', async () => {
    const base = await serve((req, res) => {
      if (req.url === '/') return res.writeHead(302, { location: '/file' }).end();
      expect(req.headers['accept-encoding']).toBe('identity');
      return res.setHeader('content-length', content.length).end(content);
    });
    const progress: [number, number | null][] = [];
    const onProgress = (received: number, total: number | null): void => {
      progress.push([received, total]);
    };
    const downloaded = await guardedDownload(base, file, { ...options, onProgress });
    expect(downloaded).toEqual({
      status: 200,
      url: `${base}/file`,
      sizeBytes: content.length,
      sha256,
    });
    expect(content.equals(await readFile(file))).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toEqual([content.length, content.length]);
    expect(progress.map(([received]) => received)).toEqual(
      progress.map(([received]) => received).sort((a, b) => a - b),
    );
  });

  it('writes the content of a compressed body of unknown size', async () => {
    const packed = await promisify<Buffer, Buffer>(gzip)(content);
    const base = await serve((_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
      res.end(packed);
    });
    let total: number | null = 0;
    const onProgress = (_received: number, of: number | null): void => void (total = of);
    const downloaded = await guardedDownload(base, file, { ...options, onProgress });
    expect([downloaded.sha256, total]).toEqual([sha256, null]);
  });

  it('writes an empty file for an empty body', async () => {
    const base = await serve((_req, res) => res.end());
    expect(await guardedDownload(base, file, options)).toMatchObject({ sizeBytes: 0 });
    expect((await readFile(file)).length).toBe(0);
  });

  it('writes nothing for another status', async () => {
    const base = await serve((_req, res) => res.writeHead(404).end('not here'));
    const downloaded = await guardedDownload(base, file, options);
    expect(downloaded).toMatchObject({ status: 404, sizeBytes: 0 });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['large', 'broken', 'silent'])('leaves nothing behind for a %s one', async (kind) => {
    const base = await serve((_req, res) => {
      res.write(content);
      if (kind === 'large') res.end(content);
      else if (kind === 'broken') res.write('x', () => res.destroy());
    });
    const timeoutMs = kind === 'silent' ? 500 : 60_000;
    const codes = { large: 'too_large', broken: 'unreachable', silent: 'unreachable' };
    await expect(guardedDownload(base, file, { ...options, timeoutMs })).rejects.toMatchObject({
      code: codes[kind as keyof typeof codes],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('stops on request', async () => {
    const base = await serve((_req, res) => res.write(content));
    const stop = new AbortController();
    const onProgress = (): void => stop.abort(new Error('cancelled'));
    const stopped = guardedDownload(base, file, { ...options, signal: stop.signal, onProgress });
    await expect(stopped).rejects.toThrow('cancelled');
    expect(await readdir(folder)).toEqual([]);
    await expect.poll(() => server?.connections()).toBe(0);
  });

  it('never writes through a link or over a file, and reports the error of the file', async () => {
    const base = await serve((_req, res) => res.end(content));
    const precious = join(folder, 'precious');
    await writeFile(precious, 'precious');
    await symlink(precious, file);
    await expect(guardedDownload(base, file, options)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(guardedDownload(base, precious, options)).rejects.toMatchObject({
      code: 'EEXIST',
    });
    expect(await readFile(file, 'utf8')).toBe('precious');
    const nowhere = join(folder, 'nowhere', 'x');
    await expect(guardedDownload(base, nowhere, options)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
