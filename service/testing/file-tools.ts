import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPlugin } from './packages.ts';
import { upload } from './sample-plugin.ts';
import type { TestHost } from './test-host.ts';

/** Id of the plugin with the tools. */
export const fileTools = 'acme.files';

/** Installs a plugin with tools for files: `read_it` reads one, `say_it` returns its arguments. */
export async function installFileTools(host: Pick<TestHost, 'client'>): Promise<void> {
  const worker = await readFile(join(import.meta.dirname, 'workers', 'escaping.mjs'), 'utf8');
  const tool = (name: string, method: string) => ({
    name,
    method,
    effect: 'read',
    description: name,
    inputSchema: { type: 'object', properties: { path: {}, text: {} } },
  });
  const manifest = {
    id: fileTools,
    permissions: ['files.read', 'files.write'],
    worker: { runtime: 'node' },
    methods: { read: {}, received: {}, list: {} },
    aiTools: [tool('read_it', 'read'), tool('say_it', 'received')],
  };
  const files = { 'backend/worker.jar': null, 'backend/worker.mjs': worker };
  await upload(host, await packPlugin({ manifest, files }));
}
