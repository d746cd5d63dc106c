// Plain JavaScript for any Node from 20 on, because nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const isWindows = process.platform === 'win32';
const progressMs = 30_000;

/** A failed installation step; the message is for the person who started it. */
export class InstallError extends Error {}

/**
 * Installs the packages of the lock file unless they are installed already.
 * @param {string} root folder of the project
 * @returns {Promise<string>} path of the Node that the project pins
 * @throws {InstallError} when a step fails; its own messages are on stderr
 */
export async function install(root) {
  const modules = join(root, 'node_modules');
  const stamp = join(modules, '.installed');
  const pinnedNode = join(modules, '.bin', isWindows ? 'node.cmd' : 'node');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const lockHash = createHash('sha256').update(lock).digest('hex');
  // Compiled from source if no prebuilt binary can be downloaded.
  const lacksSqlite = () =>
    'sqlite3' in (manifest.dependencies ?? {}) &&
    !existsSync(join(modules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'));
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash;
  if (isFresh && existsSync(pinnedNode) && !lacksSqlite()) return pinnedNode;

  const node = await provideNode(manifest, modules);
  try {
    const npm = (args) => runNpm(node.path, args, root);
    report('Installing packages (a minute or two)');
    const startedAt = Date.now();
    if (!(await npm(['ci']))) {
      installCompiler();
      if (!(await npm(['ci']))) throw new InstallError('npm ci failed; its messages are above.');
    }
    if (lacksSqlite()) {
      installCompiler();
      if (!(await npm(['rebuild', 'sqlite3'])) || lacksSqlite())
        throw new InstallError('sqlite3 could not be built; the messages of npm are above.');
    }
    report(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
  } finally {
    node.remove();
  }
  if (!existsSync(pinnedNode)) throw new InstallError(unknownMachine());
  writeFileSync(stamp, lockHash);
  return pinnedNode;
}

/**
 * Provides a Node of the pinned version outside `node_modules`, which npm empties before it
 * installs. npm runs on it, so that packages are checked against the Node they will run on.
 */
async function provideNode(manifest, modules) {
  const [name, version] = nodePackage(manifest);
  if (process.version === `v${version}` && !process.execPath.startsWith(modules))
    return { path: process.execPath, remove() {} };
  const folder = mkdtempSync(join(tmpdir(), 'plugin-host-node-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const program = join('node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  const installed = join(dirname(modules), program);
  if (versionOf(installed) === `v${version}`) {
    const path = join(folder, isWindows ? 'node.exe' : 'node');
    cpSync(installed, path);
    return { path, remove };
  }
  report(`Fetching Node ${version}`);
  const args = ['install', '--prefix', folder, '--no-save', `${name}@${version}`];
  if (await runNpm(process.execPath, args, folder)) return { path: join(folder, program), remove };
  remove();
  throw new InstallError(`Node ${version} could not be fetched; the messages of npm are above.`);
}

function nodePackage(manifest) {
  const system = `${isWindows ? 'win' : process.platform}-${process.arch}`;
  const found = Object.entries(manifest.optionalDependencies ?? {}).find(
    ([name]) => name.startsWith('node-') && name.endsWith(system),
  );
  if (!found) throw new InstallError(unknownMachine());
  return found;
}

const unknownMachine = () =>
  `There is no Node 24 package for ${process.platform} ${process.arch}. Install Node 24 and the packages yourself, then run: node scripts/task.ts <task>`;

const versionOf = (node) =>
  existsSync(node) ? spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim() : '';

/** Runs npm and prints its errors but not its warnings. Resolves with true if it succeeded. */
function runNpm(node, args, cwd) {
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const script = process.env.npm_execpath ?? '';
  const isScript = /\.c?js$/.test(script);
  const [program, parameters] = isScript ? [node, [script, ...all]] : ['npm', all];
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const options = { cwd, env, stdio: ['ignore', 'ignore', 2], shell: !isScript && isWindows };
  const startedAt = Date.now();
  const progress = setInterval(
    () => report(`Still installing after ${Math.round((Date.now() - startedAt) / 1000)} s`),
    progressMs,
  );
  return new Promise((resolve) => {
    const child = spawn(program, parameters, options);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  }).finally(() => clearInterval(progress));
}

const has = (program) =>
  spawnSync(isWindows ? 'where' : 'which', [program], { stdio: 'ignore' }).status === 0;

function installCompiler() {
  const packages = ['g++', 'make', 'python3'];
  if (packages.every(has)) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new InstallError(
      'A C++ compiler is needed to build sqlite3. Install g++, make and python3, then try again.',
    );
  report('Installing a compiler for sqlite3 (g++, make, python3)');
  const apt = (args) => spawnSync('apt-get', args, { stdio: ['ignore', 2, 2] }).status === 0;
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  if (!apt(['update', '-qq']) || !apt(install))
    throw new InstallError('The compiler could not be installed; the messages of apt are above.');
}

const report = (line) => process.stderr.write(`${line}\n`);
