import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `deep`, `many`, `flat` (files) and `wide` (folders) take a count. */
export type TreeKind = 'deep' | 'many' | 'flat' | 'wide' | 'bytes' | 'special' | 'hollow';

/** Creates files in `folder` as a malicious worker could, on the real disk. */
export async function makeTree(folder: string, kind: TreeKind, count = 0): Promise<void> {
  const script = join(import.meta.dirname, 'make-tree.mjs');
  await run(process.execPath, [script, kind, folder, String(count)]);
}
