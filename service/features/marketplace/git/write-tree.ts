import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asDiskProblem } from '../../../platform/archives/archive-problems.ts';
import { type Blob, BlobReader } from './blob-reader.ts';
import type { Git, GitRun } from './git.ts';
import type { TreeFile } from './read-tree.ts';

/** Larger files are streamed to disk. */
const maxHeldBytes = 1024 ** 2;
const writesAtOnce = 16;

/** Writes files of a repository unchanged into a new directory. */
export async function writeTree(
  git: Git,
  files: readonly TreeFile[],
  directory: string,
  run: Omit<GitRun, 'args'>,
): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  const folders = new Set(files.map(({ name }) => dirname(join(directory, name))));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o755 });
  try {
    await git.stream({ ...run, args: ['cat-file', '--batch', '--buffer'] }, async (process) => {
      process.stdin.end(files.map(({ object }) => `${object}\n`).join(''));
      const reader = new BlobReader(process.stdout as AsyncIterable<Buffer>);
      await writeAll(files, directory, reader);
    });
  } catch (error) {
    throw asDiskProblem(error);
  }
}

async function writeAll(
  files: readonly TreeFile[],
  directory: string,
  reader: BlobReader,
): Promise<void> {
  const writing = new Set<Promise<void>>();
  let failed: { error: unknown } | undefined;
  try {
    for (const { name, executable } of files) {
      const blob = await reader.next();
      const target = { file: join(directory, name), mode: executable ? 0o755 : 0o644 };
      const write = await writeOne(blob, target);
      const done: Promise<void> = write()
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => writing.delete(done));
      writing.add(done);
      if (writing.size >= writesAtOnce) await Promise.race(writing);
      if (failed) break;
    }
  } finally {
    // All writes have ended before the caller may remove the directory.
    await Promise.all(writing);
  }
  if (failed) throw failed.error;
}

/** Reads the content; the returned promise is the remaining write of a small file. */
async function writeOne(
  { size, content }: Blob,
  { file, mode }: { file: string; mode: number },
): Promise<() => Promise<void>> {
  if (size <= maxHeldBytes) {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    return () => writeFile(file, bytes, { flag: 'wx', mode });
  }
  const handle = await open(file, 'wx', mode);
  try {
    for await (const piece of content) await handle.appendFile(piece);
  } finally {
    await handle.close();
  }
  return () => Promise.resolve();
}
