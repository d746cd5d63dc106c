import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PluginManifest } from '../../../contract/index.ts';
import { findNode, findRuntimes, workerCommand } from './worker-command.ts';

function pluginWith(worker: Record<string, unknown>) {
  const manifest = PluginManifest.parse({ id: 'a.b', name: 'A', version: '1.0.0', worker });
  return { id: 'a.b', directory: '/plugins/a.b', manifest, official: false };
}

describe('workerCommand', () => {
  it('starts a jar with a bounded heap and UTF-8', () => {
    const { program, args } = workerCommand(pluginWith({}), '/usr/bin/java');
    expect(program).toBe('/usr/bin/java');
    expect(args).toEqual(
      expect.arrayContaining(['-Xmx256m', '-XX:+UseSerialGC', '-Dfile.encoding=UTF-8']),
    );
    expect(args.slice(-2)).toEqual(['-jar', '/plugins/a.b/backend/worker.jar']);
  });

  it('starts a module with Node, with the memory limit as its heap', () => {
    const plugin = pluginWith({ runtime: 'node', memoryMb: 64 });
    expect(workerCommand(plugin, '/usr/bin/node').args).toEqual([
      '--max-old-space-size=64',
      '/plugins/a.b/backend/worker.mjs',
    ]);
  });

  it('uses the entry of the manifest', () => {
    const plugin = pluginWith({ runtime: 'java', entry: 'lib/tool.jar' });
    expect(workerCommand(plugin, '/usr/bin/java').args.at(-1)).toBe('/plugins/a.b/lib/tool.jar');
  });
});

describe('findRuntimes', () => {
  const before = { PATH: process.env['PATH'], JAVA_HOME: process.env['JAVA_HOME'] };
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runtimes-'));
    process.env['PATH'] = folder;
    delete process.env['JAVA_HOME'];
  });

  afterEach(async () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await rm(folder, { recursive: true });
  });

  async function createJava(directory: string, mode = 0o755): Promise<string> {
    await mkdir(directory, { recursive: true });
    const file = join(directory, 'java');
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, mode);
    return file;
  }

  it('uses the Node that runs the host, unless that is Electron', async () => {
    expect(await findRuntimes().node()).toBe(process.execPath);
  });

  it('searches again after a miss, and caches a hit', async () => {
    const runtimes = findRuntimes();
    expect(await runtimes.java()).toBeNull();
    const java = await createJava(folder);
    expect(await runtimes.java()).toBe(java);
    await rm(java);
    expect(await runtimes.java()).toBe(java);
  });

  it('prefers JAVA_HOME to the PATH', async () => {
    await createJava(folder);
    const home = join(folder, 'jdk');
    process.env['JAVA_HOME'] = home;
    const own = await createJava(join(home, 'bin'));
    expect(await findRuntimes().java()).toBe(own);
  });

  it('skips relative entries of the PATH, and files that are not executable', async () => {
    await createJava(folder, 0o644);
    process.env['PATH'] = `.:bin::${folder}`;
    expect(await findRuntimes().java()).toBeNull();
    process.env['PATH'] = before.PATH ?? '';
    const java = await findRuntimes().java();
    expect(java !== null && isAbsolute(java)).toBe(true);
  });
});

const electron = { versions: { electron: '45.4.1' }, execPath: '/opt/app/plugin-host' };

describe('the Node for workers', () => {
  let resourcesPath = '';
  beforeEach(async () => {
    resourcesPath = await mkdtemp(join(tmpdir(), 'resources-'));
  });
  afterEach(() => rm(resourcesPath, { recursive: true }));

  it('is the one that runs the host, if that is Node', async () => {
    expect(await findNode()).toBe(process.execPath);
  });

  it('is the one in the package with Electron', async () => {
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    await mkdir(join(resourcesPath, 'node'));
    await writeFile(join(resourcesPath, 'node', name), '');
    const found = await findNode({ ...electron, resourcesPath });
    expect(found).toBe(join(resourcesPath, 'node', name));
  });

  it('is searched for on the machine if the Electron package has none, and is never Electron itself', async () => {
    const onMachine = await findNode(electron);
    expect(await findNode({ ...electron, resourcesPath })).toBe(onMachine);
    expect(onMachine).not.toBe(electron.execPath);
  });
});
