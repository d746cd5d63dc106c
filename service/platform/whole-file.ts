import { chmod, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file is called until it is complete. */
export const draftSuffix = '.part';

/**
 * Makes `file` appear complete and synced, or not at all: `write` is given the path of an empty draft
 * beside it, mode 0600. When this throws, an earlier `file` is as it was.
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

/** Names are on the disk after this; some systems cannot be asked for it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
