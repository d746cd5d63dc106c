import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Files of other projects, which are not part of this one. */
const folder = join(import.meta.dirname, '../../../shared/inputs');

/**
 * Returns the path of a file or folder of real inputs beside the project. If it does not exist,
 * prints a line and returns null, so that a test uses fixtures of the project.
 */
export function realInputs(name = ''): string | null {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  process.stdout.write(
    `real inputs: no shared/inputs/${name} beside the project, its own fixtures are used.\n`,
  );
  return null;
}
