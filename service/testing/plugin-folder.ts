import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Creates a directory with these files until the test ends; values other than strings are written
 * as JSON.
 */
export async function pluginFolder(files: Record<string, unknown>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'plugin-folder-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const folders = new Set(Object.keys(files).map(dirname));
  for (const folder of folders) await mkdir(join(directory, folder), { recursive: true });
  const write = (path: string, content: unknown): Promise<void> =>
    writeFile(
      join(directory, path),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  await Promise.all(Object.entries(files).map(([path, content]) => write(path, content)));
  return directory;
}

/** Returns a Markdown file with this name and description. */
export function markdownPart(name: string, description = `Does ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nThe text.\n`;
}
