import { beforeAll, expect, it } from 'vitest';
import { api, type FileRef, tokenHeader } from '../../../contract/index.ts';
import { unzip } from '../../../testing/backups.ts';
import { installSample, invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const id = 'com.example.writer';

const host = await useForFile(startTestHost());

beforeAll(async () => {
  await installSample(host, {
    manifest: { id, permissions: ['files.write'], methods: { fill: {} } },
    files: { 'backend/worker.mjs': worker },
  });
});

async function output(names: string[]): Promise<FileRef> {
  const ref = await host.client.call(api.files.output, {
    params: { id },
    body: { name: 'report' },
  });
  await invoke(host, id, 'fill', { output: ref, names });
  return ref;
}

const path = (ref: FileRef): string => `/api/plugin-runtime/${id}/files/export/${ref.id}`;

async function archiveOf(address: string): Promise<string[]> {
  const headers = { [tokenHeader]: host.token };
  const response = await fetch(`${host.baseUrl}${address}`, { headers });
  expect(response.headers.get('content-type')).toBe('application/zip');
  return [...(await unzip(Buffer.from(await response.arrayBuffer()))).keys()];
}

it('HEAD returns the headers of GET for a single file, without a body', async () => {
  const ref = await output(['a.txt']);
  const head = await host.ask(path(ref), { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers['content-disposition']).toBe("attachment; filename*=UTF-8''a.txt");
  expect(head.headers['x-host-left-out']).toBeUndefined();
  expect((await host.ask(path(ref))).text).toBe('content of a.txt');
});

it('format=zip packs a single file too, and another format is refused', async () => {
  const ref = await output(['a.txt']);
  expect(await archiveOf(`${path(ref)}?format=zip`)).toEqual(['a.txt']);
  const refused = await host.ask(`${path(ref)}?format=tar`);
  expect(refused.status).toBe(400);
});

it('X-Host-Left-Out lists what cannot be packed, for HEAD and GET', async () => {
  const names = ['a.txt', '..\\evil ü.txt'];
  const ref = await output(names);
  for (const method of ['HEAD', 'GET']) {
    const { headers } = await host.ask(path(ref), { method });
    const skippedHeader = String(headers['x-host-left-out']);
    expect(JSON.parse(decodeURIComponent(skippedHeader))).toEqual([names[1]]);
    expect(headers['content-disposition']).toBe("attachment; filename*=UTF-8''report.zip");
  }
  expect((await archiveOf(path(ref))).sort()).toEqual(['NOT-EXPORTED.txt', 'a.txt']);
});

const worker = `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'fill')
    for (const name of params.names) writeFileSync(params.output + '/' + name, 'content of ' + name);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
});
`;
