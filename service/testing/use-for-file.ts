import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Starts a resource that the tests of a file share. Call it at the top of the file. Resources are
 * closed after the last test, in reverse order.
 */
export async function useForFile<T extends { close(): unknown }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  afterAll(async () => {
    await started.close();
  });
  return started;
}

/** Provides an empty folder to the tests of a file. */
export async function useFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
