import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * What the tests of a file share, to be called at its top; closed after the last of them, what was
 * started last first.
 */
export async function useForFile<T extends { close(): unknown }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  afterAll(async () => {
    await started.close();
  });
  return started;
}

/** An empty folder for the tests of a file. */
export async function useFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
