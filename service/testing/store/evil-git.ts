import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Git } from '../../features/marketplace/git/git.ts';
import { createProcesses } from '../../platform/processes.ts';
import { useFolder } from '../use-for-file.ts';
import { makeRepository, type RepositoryFiles } from './git-repository.ts';

/** Git without a host around it, until the test has ended. */
export function ownGit(repository: string): {
  git: Git;
  run: { repository: string; signal: AbortSignal; limitMs: number };
} {
  const processes = createProcesses();
  onTestFinished(() => processes.close());
  const { signal } = new AbortController();
  return { git: new Git(processes), run: { repository, signal, limitMs: 60_000 } };
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Is there until the test has ended. */
export async function repositoryOf(files: RepositoryFiles) {
  const repository = await makeRepository(files);
  onTestFinished(() => repository.close());
  return repository;
}

/** A program that git must never run, for the tests of a file: it would create `marker`. */
export async function useMarker() {
  const folder = await useFolder('evil-');
  const marker = join(folder, 'was-run');
  return { evil: folder, marker, touch: `touch '${marker}'` };
}
