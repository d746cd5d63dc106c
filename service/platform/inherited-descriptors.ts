import { close } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const closeOnExecute = 0o2_000_000;
const lastStandardFd = 2;

/**
 * Closes what this process was started with beside its standard input and output: folders, files and
 * sockets of a terminal or a desktop, which all that it starts would find open as well. Its own are
 * told by their flag. To be called before anything is opened that is meant for another process; on
 * Linux, where the kernel lists them.
 */
export async function closeInherited(): Promise<void> {
  const names = await readdir('/proc/self/fdinfo').catch(() => []);
  for (const name of names) {
    const descriptor = Number(name);
    if (descriptor <= lastStandardFd) continue;
    const info = await readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '');
    const [, flags] = /^flags:\s+([0-7]+)$/m.exec(info) ?? [];
    const isInherited = flags !== undefined && (parseInt(flags, 8) & closeOnExecute) === 0;
    // What somebody else has closed meanwhile is closed.
    if (isInherited) await promisify(close)(descriptor).catch(() => undefined);
  }
}
