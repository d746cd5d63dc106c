import { statfs } from 'node:fs/promises';
import { HostError } from '../core/host-error.ts';

/**
 * Something large is refused before any of it is written.
 * @throws HostError `disk_full` that names `what`: a thing such as "the backup"
 */
export async function requireDiskSpace(
  folder: string,
  neededBytes: number,
  what: string,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= neededBytes) return;
  const message = `The disk has no space for ${what}. Free some and try again.`;
  throw new HostError('disk-full', 'disk_full', message);
}
