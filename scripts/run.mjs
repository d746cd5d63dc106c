// Plain JavaScript for any Node from 20 on: installs what is missing, then hands over to the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed');
const pinnedNode = join(
  root,
  'node_modules',
  '.bin',
  process.platform === 'win32' ? 'node.cmd' : 'node',
);
const [task = '', ...args] = process.argv.slice(2);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function run(program, parameters) {
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  return spawnSync(program, parameters, options).status === 0;
}

const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

function has(program) {
  return (
    spawnSync(process.platform === 'win32' ? 'where' : 'which', [program], { stdio: 'ignore' })
      .status === 0
  );
}

function installCompiler() {
  if (has('g++') && has('make') && has('python3')) return;
  if (!mayInstall)
    fail(
      'A C++ compiler is needed to build sqlite3. Install g++, make and python3, then try again.',
    );
  process.stderr.write('Installing a compiler for sqlite3 (g++, make, python3)\n');
  if (
    !run('apt-get', ['update', '-qq']) ||
    !run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'g++', 'make', 'python3'])
  ) {
    fail('The compiler could not be installed.');
  }
}

/** sqlite3 is built where no ready-made binary can be had. */
function hasSqlite() {
  return existsSync(join(root, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node'));
}

function install() {
  if (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === lockHash() &&
    existsSync(pinnedNode) &&
    hasSqlite()
  )
    return;
  process.stderr.write('Installing dependencies\n');
  if (!run('npm', ['ci', '--no-audit', '--no-fund'])) {
    installCompiler();
    if (!run('npm', ['ci', '--no-audit', '--no-fund']))
      fail('npm ci failed; its messages are above.');
  }
  if (!hasSqlite()) {
    installCompiler();
    if (!run('npm', ['rebuild', 'sqlite3']) || !hasSqlite())
      fail('sqlite3 could not be built; its messages are above.');
  }
  if (!existsSync(pinnedNode)) {
    fail(
      `There is no Node 24 package for ${process.platform} ${process.arch}. Install Node 24 yourself and run: node scripts/task.ts ${task}`,
    );
  }
  writeFileSync(stamp, lockHash());
}

install();
const path = `${dirname(pinnedNode)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`;
const child = spawn(pinnedNode, [join(root, 'scripts', 'task.ts'), task, ...args], {
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
  shell: process.platform === 'win32',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'])
  process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
