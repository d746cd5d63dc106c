// Plain JavaScript for any Node from 20 on: installs missing packages, then continues on the pinned
// Node.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, InstallError } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [task = '', ...args] = process.argv.slice(2);

const pinnedNode = await install(root).catch((error) => {
  if (!(error instanceof InstallError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
const child = spawn(pinnedNode, [join(root, 'scripts', 'task.ts'), task, ...args], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${dirname(pinnedNode)}${delimiter}${process.env.PATH ?? ''}` },
  shell: process.platform === 'win32',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'])
  process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
