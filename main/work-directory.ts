import { ensureFolder, HostError, type HostPaths } from '../service/app/index.ts';
import { msg } from '../service/messages/index.ts';
import { type InstanceLock, takeLock } from './instance-lock.ts';

const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];
const full = ['ENOSPC', 'EDQUOT'];

/**
 * Creates the host's folder and takes its lock.
 * @throws LockedError while another host runs in it
 * @throws HostError if the folder cannot be used
 */
export async function lockWorkDirectory(paths: HostPaths): Promise<InstanceLock> {
  try {
    // /proc and similar file systems report ENOENT for folders that cannot be created.
    await ensureFolder(paths.host).catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? cannotBeWritten(paths) : error;
    });
    return await takeLock(paths.host);
  } catch (error) {
    throw startFailure(error, paths);
  }
}

/** Returns a file system error as a message for people; other errors unchanged. */
export function startFailure(error: unknown, paths: HostPaths): unknown {
  const code = codeOf(error);
  if (unwritable.includes(code)) return cannotBeWritten(paths);
  if (!full.includes(code)) return error;
  const text = msg('workDirectory.diskFull', { path: paths.workDirectory });
  return new HostError('disk-full', 'disk_full', text);
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code);
}

function cannotBeWritten({ workDirectory }: HostPaths): HostError {
  const text = msg('workDirectory.notWritable', { path: workDirectory });
  return new HostError('unavailable', 'unwritable', text);
}
