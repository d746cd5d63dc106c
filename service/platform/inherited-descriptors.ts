import { close } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const closeOnExecute = 0o2_000_000;
const lastStandardFd = 2;

/**
 * Closes inherited descriptors other than the standard streams: folders, files and sockets of a
 * terminal or desktop, which child processes would inherit as well. The host's own descriptors are
 * recognized by their flag. Call it before anything is opened for another process. Linux only,
 * where the kernel lists them.
 */
export async function closeInherited(): Promise<void> {
  const names = await readdir('/proc/self/fdinfo').catch(() => []);
  for (const name of names) {
    const descriptor = Number(name);
    if (descriptor <= lastStandardFd) continue;
    const info = await readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '');
    const [, flags] = /^flags:\s+([0-7]+)$/m.exec(info) ?? [];
    const isInherited = flags !== undefined && (parseInt(flags, 8) & closeOnExecute) === 0;
    // It may have been closed meanwhile.
    if (isInherited) await promisify(close)(descriptor).catch(() => undefined);
  }
}
