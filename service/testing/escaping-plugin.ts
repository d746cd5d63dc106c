import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPlugin } from './packages.ts';
import { upload } from './sample-plugin.ts';
import type { TestHost } from './test-host.ts';

const names = ['read', 'write', 'list', 'link', 'environment', 'whoami', 'processes', 'connect'];
const more = ['orphan', 'received', 'hang', 'replace', 'flip'];

/** Installs a plugin whose worker tries to escape its sandbox, with one attempt per method. */
export async function installEscaping(
  host: Pick<TestHost, 'client'>,
  id: string,
  permissions: readonly string[] = [],
): Promise<void> {
  const worker = await readFile(join(import.meta.dirname, 'workers', 'escaping.mjs'), 'utf8');
  const methods = Object.fromEntries([...names, ...more].map((name) => [name, {}]));
  const manifest = { id, permissions: [...permissions], worker: { runtime: 'node' }, methods };
  const files = { 'backend/worker.jar': null, 'backend/worker.mjs': worker };
  await upload(host, await packPlugin({ manifest, files }));
}
