import { join } from 'node:path';
import { findProgram } from '../../../platform/find-program.ts';

/** The folders that a sandbox includes. */
const systemPath = '/usr/local/bin:/usr/bin:/bin';

/** Returns the program and the arguments that run a command line. */
export async function shellFor(command: string): Promise<{ program: string; args: string[] }> {
  if (process.platform === 'win32') {
    const root = process.env['SystemRoot'] ?? 'C:\\Windows';
    const program = join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    return { program, args: ['-NoProfile', '-NonInteractive', '-Command', command] };
  }
  const bash = await findProgram('bash', systemPath);
  if (bash === null) return { program: '/bin/sh', args: ['-c', command] };
  // With a socket as its input, bash assumes a remote login and reads `~/.bashrc`.
  return { program: bash, args: ['--noprofile', '--norc', '-c', command] };
}
