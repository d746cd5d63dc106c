import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { app } from 'electron';
import { findHolder, LockedError } from '../instance-lock.ts';

/** Where the desktop keeps its working directory: on Linux where the lite package does. */
export function userDataDirectory(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (platform !== 'linux') return app.getPath('userData');
  const configured = environment['XDG_DATA_HOME'] ?? '';
  const data = isAbsolute(configured) ? configured : join(homedir(), '.local', 'share');
  return join(data, 'plugin-host');
}

/**
 * Moves data of a version that kept them beside the profile of Chromium, where there are none yet.
 * Returns where they were; null where nothing was moved.
 * @throws LockedError while a host runs on them
 */
export async function moveOldData(from: string, to: string): Promise<string | null> {
  const [before, after] = [join(from, '.host'), join(to, '.host')];
  if (from === to || !(await isThere(before)) || (await isThere(after))) return null;
  const holder = await findHolder(before);
  if (holder) throw new LockedError(holder);
  await mkdir(to, { recursive: true, mode: 0o700 });
  await rename(before, after).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    return copyOver(before, after);
  });
  return from;
}

/** To another disk: there whole, or not at all, and only then gone from where it was. */
async function copyOver(before: string, after: string): Promise<void> {
  const draft = `${after}.moving`;
  await rm(draft, { recursive: true, force: true });
  await cp(before, draft, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  await rename(draft, after);
  await rm(before, { recursive: true, force: true });
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
