import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { type Git, type GitNetworkPolicy, type GitRun, isGitFailure } from './git.ts';
import { progressOf } from './progress.ts';
import { msg } from '../../../messages/index.ts';

/**
 * A commit to fetch: a pinned one, otherwise the tip of a branch or tag, otherwise of the default
 * branch.
 */
export interface FetchTarget {
  url: string;
  ref: string | null;
  sha: string | null;
}

/** The destination and the limits of a fetch. */
export interface FetchOptions {
  /** Path of the bare repository to create; it must not exist. */
  repository: string;
  networkPolicy: GitNetworkPolicy;
  signal: AbortSignal;
  limitMs: number;
  maxBytes: number;
  /** Percent of the data that the server sends. */
  onProgress?: (percent: number) => void;
}

const watchMs = 250;

/**
 * Fetches one commit without its history into a bare repository. Nothing is checked out, so no
 * hook, filter or submodule can run. Returns the commit; refuses one that differs from the pin.
 */
export async function fetchCommit(
  git: Git,
  { url, ref, sha }: FetchTarget,
  options: FetchOptions,
): Promise<string> {
  const { repository, signal, limitMs } = options;
  await mkdir(repository, { mode: 0o700 });
  const run = { repository, signal, limitMs };
  await git.output({ ...run, args: ['init', '--quiet', '--bare', '--template=', '.'] });
  if (sha === null) await fetchInto(git, options, { url, name: ref ?? 'HEAD' });
  else await fetchPinned(git, options, { url, ref, sha });
  const args = ['rev-parse', '--verify', '--quiet', `${sha ?? 'FETCH_HEAD'}^{commit}`];
  const found = await git.output({ ...run, args }).catch((error: unknown) => {
    throw sha === null || !isGitFailure(error) ? error : pinMismatch(sha);
  });
  const commit = found.toString('latin1').trim();
  if (sha !== null && commit !== sha) throw pinMismatch(sha);
  return commit;
}

async function fetchPinned(
  git: Git,
  options: FetchOptions,
  { url, ref, sha }: FetchTarget & { sha: string },
): Promise<void> {
  try {
    await fetchInto(git, options, { url, name: sha });
  } catch (error) {
    if (!isUnknownCommit(error)) throw error;
    // Some servers only serve the tips of branches and tags, with their history.
    const whole = /unadvertised object/.test(notesOf(error));
    const asked = fetchInto(git, options, { url, name: ref ?? 'HEAD', whole });
    await asked.catch((again: unknown) => {
      throw isUnknownCommit(again) ? pinMismatch(sha) : again;
    });
  }
}

/** The commit of a branch, a tag or the default branch; null if it cannot be determined. */
export async function remoteCommit(
  git: Git,
  { url, ref }: Pick<FetchTarget, 'url' | 'ref'>,
  run: Omit<GitRun, 'args'>,
): Promise<string | null> {
  const name = ref ?? 'HEAD';
  const text = (await git.output({ ...run, args: ['ls-remote', '--', url, name] })).toString(
    'latin1',
  );
  const lines = text.split('\n').map((line) => line.split('\t'));
  const commitOf = (refName: string): string | undefined =>
    lines.find(([, found]) => found === refName)?.[0];
  // In the order in which a fetch resolves names.
  const names = [name, `refs/tags/${name}^{}`, `refs/tags/${name}`, `refs/heads/${name}`];
  return names.map(commitOf).find((commit) => commit !== undefined) ?? null;
}

async function fetchInto(
  git: Git,
  options: FetchOptions,
  { url, name, whole = false }: { url: string; name: string; whole?: boolean },
): Promise<void> {
  const fetch = (depth: readonly string[]): Promise<void> =>
    watched(git, options, [
      ...['fetch', '--quiet', '--progress', '--no-tags', '--no-recurse-submodules'],
      ...['--no-auto-gc', '--no-write-commit-graph', ...depth, '--', url, name],
    ]);
  if (whole) return fetch([]);
  await fetch(['--depth=1']).catch(async (error: unknown) => {
    // Static file servers do not support shallow fetches.
    if (!/does not support shallow/.test(notesOf(error))) throw error;
    await fetch([]);
  });
}

/** Cancels a fetch that exceeds the size limit. */
async function watched(git: Git, options: FetchOptions, args: string[]): Promise<void> {
  const { repository, networkPolicy, limitMs, maxBytes, onProgress } = options;
  const tooLarge = new AbortController();
  const sizeTimer = setInterval(() => {
    void sizeOfObjects(repository).then((size) => {
      if (size > maxBytes) tooLarge.abort(repositoryTooLarge(maxBytes));
    });
  }, watchMs);
  const signal = AbortSignal.any([options.signal, tooLarge.signal]);
  const onStderr = progressOf(onProgress);
  try {
    await git.output({ args, repository, networkPolicy, signal, limitMs, onStderr });
    if ((await sizeOfObjects(repository)) > maxBytes) throw repositoryTooLarge(maxBytes);
  } finally {
    clearInterval(sizeTimer);
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

const unknownCommit =
  /not our ref|couldn't find remote ref|unadvertised object|Unable to find [0-9a-f]{40}/i;
const isUnknownCommit = (error: unknown): boolean => unknownCommit.test(notesOf(error));

function pinMismatch(sha: string): HostError {
  return new HostError(
    'upstream-failed',
    'pin_mismatch',
    msg('git.pinMismatch', { commit: sha.slice(0, 12) }),
  );
}

function repositoryTooLarge(maxBytes: number): HostError {
  const message = msg('git.repositoryTooLarge', { limit: Math.round(maxBytes / 1024 ** 2) });
  return new HostError('too-large', 'repository_too_large', message);
}
