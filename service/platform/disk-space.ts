import { statfs } from 'node:fs/promises';
import { HostError } from '../core/host-error.ts';
import { type Message, msg } from '../messages/index.ts';

/**
 * Checks the free space before a large write. @throws HostError `disk_full` that mentions `what`,
 * such as "the backup"
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
