import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { docPages } from './pages.ts';

const guide = docPages().filter(({ file }) => file === 'docs/plugin-authors.md');
/** The blocks of the guide for plugin authors. */
export const guideBlocks = guide.flatMap((page) => page.blocks);

/**
 * Returns the block of the guide that contains `part`.
 * @throws Error if there is none
 */
export function guideBlock(language: string, part: string): string {
  const found = guideBlocks.find((one) => one.language === language && one.text.includes(part));
  if (!found) throw new Error(`The guide has no block ${language} with ${part}.`);
  return found.text;
}

export interface Manifest {
  id: string;
  version: string;
  worker: { runtime: string };
}

/** Writes a plugin with exactly the files that the guide shows. */
export async function writeGuidePlugin(
  folder: string,
  runtime: 'java' | 'node',
): Promise<Manifest> {
  const manifest = JSON.parse(guideBlock('json', '"id"')) as Manifest;
  manifest.worker.runtime = runtime;
  const files: Record<string, string> = {
    'manifest.json': JSON.stringify(manifest),
    'ui/index.html': `<!doctype html><title>Words</title>${guideBlock('html', 'plugin-client.js')}`,
    ...(runtime === 'java'
      ? { 'backend/src/Main.java': guideBlock('java', 'class Main') }
      : { 'backend/worker.mjs': guideBlock('js', 'createWorker') }),
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return manifest;
}
