import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Git } from '../../features/marketplace/git/git.ts';
import { createProcesses } from '../../platform/processes.ts';
import { useFolder } from '../use-for-file.ts';
import { makeRepository, type RepositoryFiles } from './git-repository.ts';

/** Git without a host, until the test ends. */
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

/** Creates a repository until the test ends. */
export async function repositoryOf(files: RepositoryFiles) {
  const repository = await makeRepository(files);
  onTestFinished(() => repository.close());
  return repository;
}

/** Provides a program that git must never run; it would create `marker`. */
export async function useMarker() {
  const folder = await useFolder('evil-');
  const marker = join(folder, 'was-run');
  return { evil: folder, marker, touch: `touch '${marker}'` };
}
