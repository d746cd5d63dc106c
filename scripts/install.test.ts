import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const scripts = import.meta.dirname;
const modules = join(scripts, '..', 'node_modules');
const nodePackage = `node-linux-${process.arch}`;
const nodeVersion = process.version.slice(1);

/** A package that makes npm warn on older Node versions. */
const picky = { name: 'needs-node-24', version: '1.0.0', engines: { node: '>=24' } };

let folder: string;
let registry: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-test-'));
  await mkdir(join(folder, 'picky'));
  await writeFile(join(folder, 'picky', 'package.json'), JSON.stringify(picky));
  pack(join(modules, nodePackage), join(folder, `${nodePackage}.tgz`));
  pack(join(folder, 'picky'), join(folder, `${picky.name}.tgz`));
  registry = await serveRegistry();
});

afterAll(async () => {
  registry.closeAllConnections();
  registry.close();
  await rm(folder, { recursive: true, force: true });
});

function pack(from: string, to: string): void {
  const args = ['-C', from, '--transform', 's,^\\.,package,', '-I', 'gzip -1', '-cf', to, '.'];
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Serves what npm requests from a registry: versions and archives. */
async function serveRegistry(): Promise<Server> {
  const node = JSON.parse(
    await readFile(join(modules, nodePackage, 'package.json'), 'utf8'),
  ) as typeof picky;
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = [picky, node].find(({ name }) => request.url?.startsWith(`/${name}`));
    if (!found) {
      response.writeHead(404).end('{}');
      return;
    }
    if (request.url?.endsWith('.tgz') === true) {
      createReadStream(join(folder, `${found.name}.tgz`)).pipe(response);
      return;
    }
    const { name, version } = found;
    const versions = { [version]: { ...found, dist: { tarball: `${base}/${name}.tgz` } } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * Creates a project with the installation scripts and one task, which prints the Node version it
 * runs on.
 */
async function makeProject(name: string): Promise<string> {
  const root = join(folder, name);
  await mkdir(join(root, 'scripts'), { recursive: true });
  for (const file of ['run.mjs', 'install.mjs'])
    await cp(join(scripts, file), join(root, 'scripts', file));
  await writeFile(
    join(root, 'scripts', 'task.ts'),
    'process.stdout.write(`${process.version} ${process.argv.slice(2).join(" ")}\\n`);',
  );
  const dependencies = { [picky.name]: picky.version };
  const optionalDependencies = { [nodePackage]: nodeVersion };
  const manifest = { name: 'project', version: '1.0.0', dependencies, optionalDependencies };
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest));
  const bin = { node: 'bin/node' };
  const packages = {
    '': manifest,
    [`node_modules/${picky.name}`]: picky,
    [`node_modules/${nodePackage}`]: { version: nodeVersion, bin, optional: true },
  };
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, packages };
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(lock));
  return root;
}

async function run(node: string, root: string, args: string[]) {
  const { port } = registry.address() as AddressInfo;
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    // npm scripts put the Node of the project into PATH; a machine does not have it there.
    PATH: '/usr/local/bin:/usr/bin:/bin',
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_cache: join(folder, 'cache'),
  };
  const child = spawn(node, [join(root, 'scripts', 'run.mjs'), ...args], { env });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (output.stdout += String(data)));
  child.stderr.on('data', (data) => (output.stderr += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** The Node of the machine, if there is one. */
function machineNode(): { path: string; isOlder: boolean } {
  const { status, stdout } = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return { path: process.execPath, isOlder: false };
  return { path: '/usr/bin/node', isOlder: stdout.trim() !== process.version };
}

describe('the first npm command on a machine', () => {
  it('installs on the pinned Node without a warning of npm, and again only when the lock file changes', async () => {
    const { path, isOlder } = machineNode();
    const root = await makeProject('fresh');
    const first = await run(path, root, ['start', '--port=0']);
    const installed = [
      'Installing packages (a minute or two)',
      expect.stringMatching(/^Installed in \d+ s$/),
      '',
    ];
    const fetched = isOlder ? [`Fetching Node ${nodeVersion}`] : [];
    // A slow machine prints progress lines.
    const lines = first.stderr.split('\n').filter((line) => !/^Still installing after/.test(line));
    expect(lines).toEqual([...fetched, ...installed]);
    expect([first.code, first.stdout]).toEqual([0, `${process.version} start --port=0\n`]);

    const second = await run(path, root, ['test']);
    expect(second).toEqual({ code: 0, stdout: `${process.version} test\n`, stderr: '' });

    const lock = join(root, 'package-lock.json');
    await writeFile(lock, `${await readFile(lock, 'utf8')}\n`);
    const again = await run(path, root, ['start']);
    const anew = again.stderr.split('\n').filter((line) => !/^Still installing after/.test(line));
    expect(anew).toEqual(installed);
    expect([again.code, again.stdout]).toEqual([0, `${process.version} start\n`]);
  });

  it('ends with the messages of npm and one sentence when a package cannot be had', async () => {
    const root = await makeProject('broken');
    const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
    const manifest = await readFile(join(root, 'package.json'), 'utf8');
    await writeFile(join(root, 'package-lock.json'), lock.replaceAll(picky.name, 'not-there'));
    await writeFile(join(root, 'package.json'), manifest.replaceAll(picky.name, 'not-there'));
    const { code, stdout, stderr } = await run(process.execPath, root, ['start']);
    expect(stderr).toContain('E404');
    expect(stderr.trim().split('\n').at(-1)).toBe('npm ci failed; its messages are above.');
    expect([code, stdout]).toEqual([1, '']);
  });
});
