import { stat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { findProgram } from '../../../platform/find-program.ts';

/**
 * The absolute path of what a definition names: a path, or a name that stands on the PATH.
 * @throws HostError `mcp_unavailable` that says what to do
 */
export async function programOf(command: string, cwd: string, path: string): Promise<string> {
  const isPath = command.includes('/') || command.includes(sep);
  if (!isPath) {
    const found = await findProgram(command, path);
    if (found !== null) return found;
    throw missing(`${command} was not found on the PATH. Install it, or give its whole path.`);
  }
  const file = isAbsolute(command) ? command : join(cwd, command);
  const found = await stat(file).catch(() => null);
  if (found?.isFile() === true) return file;
  throw missing(`There is no program at ${file}.`);
}

const missing = (message: string): HostError =>
  new HostError('unavailable', 'mcp_unavailable', message);
