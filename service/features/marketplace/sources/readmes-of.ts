import { BlobReader } from '../git/blob-reader.ts';
import type { Git, GitRun } from '../git/git.ts';

export interface ReadmeQuery {
  commit: string;
  /** Folders of the repository; empty is its root. */
  paths: readonly string[];
  git: Git;
  run: Omit<GitRun, 'args'>;
}

const limits = { oneBytes: 64 * 1024, allBytes: 4 * 1024 ** 2, listBytes: 16 * 1024 ** 2 };
const plainFile = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.*)$/s;
const readmeName = /^readme(?:\.md|\.txt)?$/i;

/**
 * What the folders of a fetched commit say of themselves, by folder. It is a courtesy of the store:
 * what is too large is left out, and no catalogue fails for it.
 */
export async function readmesOf(query: ReadmeQuery): Promise<Record<string, string>> {
  try {
    return await textsOf(query, await filesIn(query));
  } catch {
    query.run.signal.throwIfAborted();
    return {};
  }
}

interface ReadmeFile {
  path: string;
  object: string;
}

async function filesIn({ commit, paths, git, run }: ReadmeQuery): Promise<ReadmeFile[]> {
  const wanted = new Set(paths);
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit];
  const listing = await git.output({ ...run, args }, limits.listBytes);
  const files = new Map<string, ReadmeFile>();
  let allBytes = 0;
  for (const line of listing.toString('utf8').split('\0')) {
    const [, object = '', size = '', name = ''] = plainFile.exec(line) ?? [];
    const at = name.lastIndexOf('/');
    const path = name.slice(0, Math.max(at, 0));
    if (!readmeName.test(name.slice(at + 1)) || !wanted.has(path) || files.has(path)) continue;
    if (Number(size) > limits.oneBytes || allBytes + Number(size) > limits.allBytes) continue;
    allBytes += Number(size);
    files.set(path, { path, object });
  }
  return [...files.values()];
}

async function textsOf(
  { git, run }: ReadmeQuery,
  files: readonly ReadmeFile[],
): Promise<Record<string, string>> {
  if (files.length === 0) return {};
  const texts: [string, string][] = [];
  await git.stream({ ...run, args: ['cat-file', '--batch', '--buffer'] }, async (process) => {
    process.stdin.end(files.map(({ object }) => `${object}\n`).join(''));
    const reader = new BlobReader(process.stdout as AsyncIterable<Buffer>);
    for (const { path } of files) {
      const chunks: Buffer[] = [];
      const { content } = await reader.next();
      for await (const chunk of content) chunks.push(chunk);
      texts.push([path, Buffer.concat(chunks).toString('utf8')]);
    }
  });
  return Object.fromEntries(texts);
}
