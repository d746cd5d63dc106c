import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program on the PATH; null when there is none. */
export async function findProgram(
  name: string,
  path = process.env['PATH'] ?? '',
): Promise<string | null> {
  // A relative entry would make the answer depend on the current directory.
  for (const folder of path.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const found = await programIn(folder, name);
    if (found !== null) return found;
  }
  return null;
}

/** The absolute path of the program in that folder; null when it is not there or may not be run. */
export async function programIn(folder: string, name: string): Promise<string | null> {
  const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}
