import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns every path below `root` with its mode and content, to compare before and after. */
export async function snapshot(root: string): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const name of (await readdir(root, { recursive: true })).sort()) {
    const path = join(root, name);
    const stats = await lstat(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) seen[name] = `link to ${await readlink(path)}`;
    else if (stats.isDirectory()) seen[name] = `directory ${mode}`;
    else if (stats.isFile()) seen[name] = `file ${mode} ${hashOf(await readFile(path))}`;
    else seen[name] = 'special';
  }
  return seen;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
