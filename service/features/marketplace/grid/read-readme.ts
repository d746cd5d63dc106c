import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const maxReadmeBytes = 256 * 1024;

/** The beginning of the README of a plugin; null if it has none. */
export async function readReadme(directory: string): Promise<string | null> {
  const names = await readdir(directory).catch(() => [] as string[]);
  const name = names.find((one) => /^readme(?:\.md|\.txt)?$/i.test(one));
  if (name === undefined) return null;
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
  const file = await open(join(directory, name), flags).catch(() => null);
  if (file === null) return null;
  try {
    if (!(await file.stat()).isFile()) return null;
    const bytes = Buffer.alloc(maxReadmeBytes);
    const { bytesRead } = await file.read(bytes, 0, maxReadmeBytes, 0);
    // Removes the replacement character for a character that was split at the end.
    return bytes.toString('utf8', 0, bytesRead).replace(/\uFFFD$/, '');
  } finally {
    await file.close();
  }
}
