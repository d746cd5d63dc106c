import { statfs } from 'node:fs/promises';
import { HostError } from '../core/host-error.ts';
import { type Message, msg } from '../messages/index.ts';

/**
 * Something large is refused before any of it is written.
 * @throws HostError `disk_full` that names `what`: a thing such as "the backup"
 */
export async function requireDiskSpace(
  folder: string,
  neededBytes: number,
  what: Message,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= neededBytes) return;
  const message = msg('disk.noSpaceFor', { what });
  throw new HostError('disk-full', 'disk_full', message);
}
