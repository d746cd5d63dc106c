import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { api } from '../../../contract/index.ts';
import { installSample, invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost } from '../../../testing/test-host.ts';

it('a folder that a person chose in the settings is what the worker in the sandbox sees, and nothing beside it', async () => {
  const host = await startTestHost({ sandboxPath: process.env['PATH'] ?? '' });
  onTestFinished(() => host.close());
  const id = 'com.example.folder';
  const userConfig = { folder: { type: 'directory', title: 'Folder' } };
  await installSample(host, {
    manifest: { id, permissions: ['files.read'], userConfig, methods: { look: {} } },
    files: { 'backend/worker.mjs': worker },
  });
  const folder = join(await realpath(host.workDirectory), 'chosen');
  await mkdir(folder);
  await writeFile(join(folder, 'note.txt'), 'hello');
  await host.client.call(api.plugins.setConfig, { params: { id }, body: { folder } });
  expect(await invoke(host, id, 'look', { outside: folder })).toEqual({
    path: '/files/config/folder/chosen',
    names: ['note.txt'],
    around: 'ENOENT',
  });
});

const worker = `
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
let folder;
const codeOf = (path) => { try { readdirSync(path); return 'seen'; } catch (error) { return error.code; } };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'host.initialize') folder = params.config.folder;
  const result = method === 'look'
    ? { path: folder, names: readdirSync(folder), around: codeOf(params.outside) }
    : null;
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;
