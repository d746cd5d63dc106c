import { ensureFolder, HostError, type HostPaths } from '../service/app/index.ts';
import { msg } from '../service/messages/index.ts';
import { type InstanceLock, takeLock } from './instance-lock.ts';

const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];
const full = ['ENOSPC', 'EDQUOT'];

/** Makes the host's folder and takes its lock. Throws `LockedError`, or `HostError` in words for a person. */
export async function lockWorkDirectory(paths: HostPaths): Promise<InstanceLock> {
  try {
    // /proc and its like say ENOENT where they take no folder.
    await ensureFolder(paths.host).catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? cannotBeWritten(paths) : error;
    });
    return await takeLock(paths.host);
  } catch (error) {
    throw startFailure(error, paths);
  }
}

/** What the system says about the folder, in words for a person; any other error as it is. */
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
