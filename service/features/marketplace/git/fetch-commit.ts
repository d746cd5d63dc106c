import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import type { Git, GitReach, GitRun } from './git.ts';
import { progressOf } from './progress.ts';

/** What to fetch: a pinned commit, else a branch or tag, else the default branch. */
export interface Wanted {
  url: string;
  ref: string | null;
  sha: string | null;
}

export interface FetchOptions {
  /** Where the bare repository is made; it does not exist yet. */
  repository: string;
  reach: GitReach;
  signal: AbortSignal;
  limitMs: number;
  maxBytes: number;
  /** Percent of what the other side sends. */
  onProgress?: (percent: number) => void;
}

const watchMs = 250;

/**
 * Fetches one commit without its history into a bare repository, so no file of it is in place, no
 * hook, filter or submodule can run. Answers the commit. A pin that is not what came is refused.
 */
export async function fetchCommit(
  git: Git,
  { url, ref, sha }: Wanted,
  options: FetchOptions,
): Promise<string> {
  const { repository, reach, signal, limitMs } = options;
  await mkdir(repository, { mode: 0o700 });
  const run = { repository, reach, signal, limitMs };
  await git.output({ ...run, args: ['init', '--quiet', '--bare', '--template=', '.'] });
  const wanted = sha ?? ref ?? 'HEAD';
  await fetchInto(git, url, wanted, options).catch(async (error: unknown) => {
    // Some servers hand out the tips of branches only.
    if (sha === null || !isUnknownCommit(error)) throw error;
    await fetchInto(git, url, ref ?? 'HEAD', options);
  });
  const args = ['rev-parse', '--verify', '--quiet', 'FETCH_HEAD^{commit}'];
  const commit = (await git.output({ ...run, args })).toString('latin1').trim();
  if (sha !== null && commit !== sha) throw pinMismatch(sha);
  return commit;
}

/** The commit that a branch, a tag or the default branch stands at; null where nobody can tell. */
export async function remoteCommit(
  git: Git,
  { url, ref }: Pick<Wanted, 'url' | 'ref'>,
  run: Omit<GitRun, 'args'>,
): Promise<string | null> {
  const name = ref ?? 'HEAD';
  const text = (await git.output({ ...run, args: ['ls-remote', '--', url, name] })).toString(
    'latin1',
  );
  const lines = text.split('\n').map((line) => line.split('\t'));
  const commitOf = (wanted: string): string | undefined =>
    lines.find(([, found]) => found === wanted)?.[0];
  const names = [name, `refs/heads/${name}`, `refs/tags/${name}^{}`, `refs/tags/${name}`];
  return names.map(commitOf).find((commit) => commit !== undefined) ?? null;
}

async function fetchInto(
  git: Git,
  url: string,
  wanted: string,
  options: FetchOptions,
): Promise<void> {
  const fetch = (depth: readonly string[]): Promise<void> =>
    watched(git, options, [
      ...['fetch', '--quiet', '--progress', '--no-tags', '--no-recurse-submodules'],
      ...['--no-auto-gc', '--no-write-commit-graph', ...depth, '--', url, wanted],
    ]);
  await fetch(['--depth=1']).catch(async (error: unknown) => {
    // A plain file server cannot leave the history out.
    if (!/does not support shallow/.test(notesOf(error))) throw error;
    await fetch([]);
  });
}

/** Ends a fetch that brings more than the limit. */
async function watched(git: Git, options: FetchOptions, args: string[]): Promise<void> {
  const { repository, reach, limitMs, maxBytes, onProgress } = options;
  const tooLarge = new AbortController();
  const look = setInterval(() => {
    void sizeOfObjects(repository).then((size) => {
      if (size > maxBytes) tooLarge.abort(repositoryTooLarge(maxBytes));
    });
  }, watchMs);
  const signal = AbortSignal.any([options.signal, tooLarge.signal]);
  const onNote = progressOf(onProgress);
  try {
    await git.output({ args, repository, reach, signal, limitMs, onNote });
    if ((await sizeOfObjects(repository)) > maxBytes) throw repositoryTooLarge(maxBytes);
  } finally {
    clearInterval(look);
  }
}

async function sizeOfObjects(repository: string): Promise<number> {
  const objects = join(repository, 'objects');
  const names = await readdir(objects, { recursive: true }).catch(() => [] as string[]);
  const sizes = names.map((name) =>
    stat(join(objects, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const notesOf = (error: unknown): string =>
  error instanceof HostError && error.cause instanceof Error ? error.cause.message : '';

const isUnknownCommit = (error: unknown): boolean =>
  /not our ref|couldn't find remote ref|unadvertised object/i.test(notesOf(error));

function pinMismatch(sha: string): HostError {
  return new HostError(
    'upstream-failed',
    'pin_mismatch',
    `The catalog pins the commit ${sha.slice(0, 12)}, and the repository does not have it there. ` +
      'Refresh the source, or tell its owner.',
  );
}

function repositoryTooLarge(maxBytes: number): HostError {
  const message = `The repository is larger than ${Math.round(maxBytes / 1024 ** 2)} MiB.`;
  return new HostError('too-large', 'repository_too_large', message);
}
