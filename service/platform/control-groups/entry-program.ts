import { mkdtemp, open as openFile, rm, writeFile } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { elfProgram } from '../elf/elf-program.ts';
import type { Processor } from '../elf/system-calls.ts';

const currentFolder = -100;
const writeOnly = 0x8_0001; // O_WRONLY | O_CLOEXEC
/** Exit code if the program cannot enter a group or cannot be started. */
const entryErrorCode = 126;

/**
 * Builds a program that enters the control group of each file named in its first arguments, and
 * then executes the command in the remaining ones. A shell could do that, but would change the
 * environment.
 */
function entryProgram(processor: Processor, groups: number): Buffer {
  return elfProgram(processor, {
    steps: [
      ...Array.from({ length: groups }, (_, index) => [
        { call: 'openat', arguments: [currentFolder, { own: index + 1 }, writeOnly] } as const,
        { call: 'write', arguments: [{ of: 'self' }, 1], onResult: true } as const,
      ]).flat(),
      { execute: groups + 1 },
    ],
    onError: [{ call: 'exit_group', arguments: [entryErrorCode], mayFail: true }],
    data: { self: Buffer.from('0') },
  });
}

/**
 * The program as an open file without a name, which disappears with this process.
 * @returns a path by which a child process can execute it, for each possible folder; some do not
 * allow execution
 */
export async function* entryPrograms(processor: Processor, groups: number): AsyncGenerator<string> {
  for (const folder of new Set([tmpdir(), '/dev/shm', homedir()])) {
    const fd = await keep(folder, entryProgram(processor, groups)).catch(() => null);
    if (fd !== null) yield `/proc/self/fd/${fd}`;
  }
}

async function keep(folder: string, program: Buffer): Promise<number> {
  const own = await promisify(mkdtemp)(join(folder, 'plugin-host-entry-'));
  try {
    const path = join(own, 'enter');
    await promisify(writeFile)(path, program, { mode: 0o500 });
    // Not a FileHandle, which would be closed when it is garbage collected.
    return await promisify(openFile)(path, 'r');
  } finally {
    await promisify(rm)(own, { recursive: true, force: true });
  }
}
