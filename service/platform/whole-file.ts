import { chmod, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Suffix of an incomplete file. */
export const draftSuffix = '.part';

/**
 * Writes `file` atomically and syncs it: `write` receives the path of an empty draft next to it,
 * mode 0600. If this throws, an earlier `file` is unchanged.
 */
export async function writeWhole(
  file: string,
  write: (draft: string) => Promise<unknown>,
): Promise<void> {
  const draft = file + draftSuffix;
  await rm(draft, { force: true });
  try {
    await (await open(draft, 'wx', 0o600)).close();
    await write(draft);
    await chmod(draft, 0o600);
    await syncFile(draft);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Syncs names to disk; some systems do not support it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
