import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Pinned, so that figures of different days can be compared. */
const versions = { 'node-red': '5.0.7', 'vscode-jsonrpc': '10.0.0' } as const;
export type Peer = keyof typeof versions;

const installLimitMs = 180_000;

/**
 * Installs a program to compare with, outside the project, and keeps it for later runs. Null if
 * that fails.
 */
export async function peer(name: Peer): Promise<string | null> {
  const owner = process.getuid?.() ?? 'me';
  const directory = join(tmpdir(), `plugin-host-bench-${owner}`, `${name}-${versions[name]}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // A folder that another user created is not trusted.
  if (process.getuid && (await stat(join(directory, '..'))).uid !== process.getuid()) return null;
  const installed = join(directory, 'node_modules', name);
  if (!existsSync(join(directory, 'done'))) {
    process.stderr.write(`Installing ${name} to compare with\n`);
    if (!(await install(name, directory))) return null;
  }
  return installed;
}

async function install(name: Peer, directory: string): Promise<boolean> {
  const script = [
    `npm install --prefix "$1" "$2" --no-audit --no-fund --ignore-scripts --loglevel=error`,
    `touch "$1/done"`,
  ].join(' && ');
  const args = ['-c', script, 'install', directory, `${name}@${versions[name]}`];
  const npm = spawn('sh', args, { stdio: ['ignore', 2, 2], timeout: installLimitMs });
  const [code] = (await once(npm, 'exit').catch(() => [1])) as [number | null];
  return code === 0;
}
