import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { hostPaths, restoreBackup } from '../app/index.ts';
import { api } from '../contract/index.ts';
import type { RawEntry } from './packages.ts';
import { send, startTestHost, type TestHost } from './test-host.ts';

export const askForBackup = (port: number, token: string): ReturnType<typeof send> =>
  send(port, '/api/settings/backup', { method: 'POST', headers: { 'X-Host-Token': token } });

/** Downloads the complete archive. */
export async function backupOf({ port, token }: { port: number; token: string }): Promise<Buffer> {
  const answer = await askForBackup(port, token);
  if (answer.statusCode !== 200) throw new Error(`The backup was answered ${answer.statusCode}.`);
  return buffer(answer);
}

/** Returns the content of an archive by entry name. */
export async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return found;
}

/** Returns the archive with entries replaced, added, or removed (null). */
export async function changedArchive(
  archive: Buffer,
  changes: Record<string, string | Buffer | null>,
): Promise<RawEntry[]> {
  const entries = { ...Object.fromEntries(await unzip(archive)), ...changes };
  return Object.entries(entries).flatMap(([name, content]) =>
    content === null ? [] : [{ name, content }],
  );
}

/** Restores in this process; returns the new working directory. */
export async function restoreIntoNew(archive: Buffer): Promise<string> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'restored-'));
  await restoreInto(workDirectory, archive);
  return workDirectory;
}

export async function restoreInto(workDirectory: string, archive: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const paths = hostPaths(workDirectory);
  try {
    // Folder of the launcher's lock.
    await mkdir(paths.host, { recursive: true });
    await writeFile(join(folder, 'backup.zip'), archive);
    await restoreBackup(paths, join(folder, 'backup.zip'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function startRestored(archive: Buffer, machineKey: string): Promise<TestHost> {
  const workDirectory = await restoreIntoNew(archive);
  return startTestHost({ workDirectory, machineKey, setup: null });
}

/** Returns every folder and file below `folder` with its type, executable bit and content. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    tree[relative(folder, path)] = await describeEntry(path, entry);
  }
  return tree;
}

type Kinds = Record<'isFile' | 'isDirectory', () => boolean>;

async function describeEntry(path: string, entry: Kinds): Promise<string> {
  if (entry.isDirectory()) return 'folder';
  if (!entry.isFile()) return 'something else';
  const { mode } = await stat(path);
  const hash = createHash('sha256').update(await readFile(path));
  return `${(mode & 0o100) === 0 ? 'file' : 'program'} ${hash.digest('hex')}`;
}

/**
 * Returns everything that a client can see of an installation, except addresses and running work.
 */
export async function seenBy({ client, baseUrl }: TestHost): Promise<unknown> {
  const all = {
    settings: await client.call(api.settings.get),
    notifications: await client.call(api.notifications.list),
    // A copy from a backup was unpacked when it was restored.
    plugins: (await client.call(api.market.list)).map((plugin) => ({
      ...plugin,
      state: null,
      installedAt: null,
    })),
  };
  return JSON.parse(JSON.stringify(all).replaceAll(baseUrl, 'http://host')) as unknown;
}
