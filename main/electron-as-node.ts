import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Returns the Node binary that lies beside Electron in a package, or in the project. */
async function nodeBeside(directory = import.meta.dirname): Promise<string | null> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const candidates = [
    join(process.resourcesPath ?? '/nowhere', 'node', name),
    join(directory, '..', '..', 'node_modules', '.bin', name),
  ];
  for (const candidate of candidates)
    if (
      await access(candidate).then(
        () => true,
        () => false,
      )
    )
      return candidate;
  return null;
}

/** An entry that plain Node can read: on Linux the program is unpacked next to the archive. */
function plainEntry(directory = import.meta.dirname): string {
  const entry = join(directory, 'index.mjs');
  return entry.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
}

/**
 * Continues in plain Node, with this program or another one. Electron needs a display soon after
 * its entry has run, even for a program without a window. Never resolves; exits with the code of
 * that process.
 */
export async function goOnInNode(args: readonly string[], entry = plainEntry()): Promise<never> {
  const isNode = process.versions['electron'] === undefined;
  const node = isNode ? process.execPath : await nodeBeside();
  if (node === null)
    throw new UsageError('There is no Node beside Electron. Start with node . --headless.');
  const child = spawn(node, [entry, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)
    process.on(signal, () => void child.kill(signal));
  return new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
