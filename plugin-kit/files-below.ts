import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Hidden files that the host reads at the root of a plugin. */
const hiddenHostFiles = ['.mcp.json', '.claude-plugin', '.codex-plugin'];

/**
 * Returns every file below a directory as a `/` separated relative path, sorted. Skips hidden files
 * other than those that the host reads, `node_modules`, and tests unless requested.
 * @throws Error for anything that is neither a file nor a directory, such as a symbolic link
 */
export async function filesBelow(
  directory: string,
  { withTests = false }: { withTests?: boolean } = {},
): Promise<string[]> {
  const found: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const entry of await readdir(join(directory, relative), { withFileTypes: true })) {
      const isHostFile = relative === '' && hiddenHostFiles.includes(entry.name);
      if (!isHostFile && isPassedOver(entry.name, withTests)) continue;
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) found.push(path);
      else throw new Error(`${path} is no plain file. A package holds files only; replace it.`);
    }
  };
  await visit('');
  return found.sort();
}

function isPassedOver(name: string, withTests: boolean): boolean {
  if (name.startsWith('.') || name === 'node_modules') return true;
  return !withTests && /\.test\.[a-z]+$/.test(name);
}
