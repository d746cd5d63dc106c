import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api, type InstalledPluginDescriptor } from '../contract/index.ts';
import { type Packing, packPlugin } from './packages.ts';
import type { TestHost } from './test-host.ts';

const everyMethod = [
  'echo',
  'initialized',
  'received',
  'environment',
  'place',
  'hang',
  'slow',
  'spin',
  'exit',
];
const more = [
  'complainAndExit',
  'fail',
  'noise',
  'stderr',
  'log',
  'progress',
  'giantLine',
  'family',
  'signal',
];

/** Builds a package whose Node worker has a method for each kind of behaviour. */
export async function samplePackage({ manifest = {}, ...packing }: Packing = {}): Promise<Buffer> {
  const worker = await readFile(join(import.meta.dirname, 'workers', 'versatile.mjs'));
  const methods = Object.fromEntries([...everyMethod, ...more].map((name) => [name, {}]));
  return packPlugin({
    ...packing,
    manifest: { worker: { runtime: 'node' }, methods, ...manifest },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': worker, ...packing.files },
  });
}

/** Installs the sample through the API. */
export async function installSample(
  host: Pick<TestHost, 'client'>,
  packing: Packing = {},
): Promise<InstalledPluginDescriptor> {
  return upload(host, await samplePackage(packing));
}

export function upload(
  host: Pick<TestHost, 'client'>,
  bytes: Buffer,
  sha256?: string,
): Promise<InstalledPluginDescriptor> {
  const fields = sha256 === undefined ? {} : { sha256 };
  return host.client.call(api.market.upload, { file: new Blob([new Uint8Array(bytes)]), fields });
}

let calls = 0;

/** Makes one call with a new callId. Resolves with the result; throws the worker's own error. */
export async function invoke(
  host: Pick<TestHost, 'client'>,
  id: string,
  method: string,
  params: unknown = {},
): Promise<unknown> {
  const body = { callId: `call-${(calls += 1)}`, method, params };
  const reply = await host.client.call(api.plugins.invoke, { params: { id }, body });
  if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error);
  return reply.result;
}
