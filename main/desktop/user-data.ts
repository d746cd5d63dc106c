import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { app } from 'electron';
import { findHolder, LockedError } from '../instance-lock.ts';

/**
 * Returns the default working directory of the desktop app. On Linux it is the one of the lite
 * package.
 */
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
 * Moves data of a version that stored them in the profile folder of Chromium, unless the target has
 * data. Returns the old folder; null if nothing was moved.
 * @throws LockedError while a host uses the old folder
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

/**
 * Copies to another disk. The target appears complete or not at all; the source is deleted only
 * then.
 */
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
