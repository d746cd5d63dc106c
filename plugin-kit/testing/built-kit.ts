import { execFile } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../dist/kit/bin/plugin-host-plugin.mjs');
/** Long enough for a busy machine; a command that hangs fails the test with its output. */
const limitMs = 110_000;

/** Outcome of a command of the kit. */
export interface KitOutcome {
  code: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

/** Runs a command of the built kit, as an author does. */
export function runBuiltKit(...args: string[]): Promise<KitOutcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: limitMs }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}
