import { spawn } from 'node:child_process';
import { appendFile, chmod, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { api, hostVersion } from '../service/contract/index.ts';
import { type BuiltHost, builtEntry, createHosts } from './built-host.ts';
import { examplePackage, packExample } from './example-package.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

interface Report {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  args?: string[];
  env?: Record<string, string>;
}

/** Returns a PATH with exactly these programs. */
async function pathOf(...programs: string[]): Promise<string> {
  const folder = await hosts.makeFolder();
  for (const name of programs) {
    await writeFile(join(folder, name), '#!/bin/sh\n');
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

async function examine(
  workDirectory: string,
  { args = [], env = {} }: Options = {},
): Promise<Report> {
  const PATH = await pathOf('java', 'git', 'bwrap', 'chromium');
  const temporary = await hosts.makeFolder();
  const child = spawn(process.execPath, [builtEntry, '--doctor', ...args], {
    cwd: workDirectory,
    env: { PATH, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exited,
  ]);
  // Temporary files are deleted.
  expect(await readdir(temporary)).toEqual([]);
  return { code, stdout, stderr };
}

/** Returns everything below a folder with its time, mode, size and content, including folders. */
async function picture(folder: string): Promise<unknown[]> {
  const names = ['', ...(await readdir(folder, { recursive: true }))].sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const info = await lstat(path);
      const content = info.isFile() ? (await readFile(path)).toString('base64') : '';
      return [name, info.ino, info.mode, info.size, info.mtimeMs, content];
    }),
  );
}

/** Starts a host and stops it again. */
async function useOnce(): Promise<BuiltHost> {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await client.call(api.market.upload, { file: await packExample(), fields: {} });
  await host.stop();
  return host;
}

const properties = (folder: string): string =>
  join(folder, '.host', 'config', 'datasource.properties');

describe('--doctor', () => {
  it('reports versions, database, isolation and plugins of an installation, and changes nothing', async () => {
    const { workDirectory } = await useOnce();
    const before = await picture(workDirectory);
    const { code, stdout, stderr } = await examine(workDirectory);
    expect([code, stderr]).toEqual([0, '']);
    for (const row of [
      `Version    ${hostVersion}`,
      `Node       ${process.versions.node}`,
      `Platform   ${process.platform} ${process.arch} `,
      `Folder     ${workDirectory}\n`,
      'Running    no\n',
      'Run mode   APP\n',
    ])
      expect(stdout).toContain(row);
    expect(stdout).toMatch(/^Database {3}SQLITE 3\.[\d.]+, answers within \d+ ms$/m);
    expect(stdout).toMatch(new RegExp(`^(Plugins {4}| {11})${examplePackage.id} 1\\.0\\.0$`, 'm'));
    expect(stdout).toMatch(/^Isolation {2}sandbox: (none|bubblewrap \(a trial ran in it\))$/m);
    expect(stdout).toMatch(/\nAll requirements are met\.\n$/);
    expect(stdout).not.toContain('\u001b');
    expect(await picture(workDirectory)).toEqual(before);
  });

  it('creates nothing in an empty folder, nor the folder itself', async () => {
    const folder = await hosts.makeFolder();
    const { code, stdout } = await examine(folder);
    expect(stdout).toContain('Run mode   SETUP: the next start opens the wizard\n');
    expect(code).toBe(0);
    const none = join(folder, 'none');
    expect(
      (await examine(folder, { args: [`--work-dir=${none}`, '--headless'] })).stdout,
    ).toContain(`Folder     ${none}\n`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves the database of a running host alone', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    const client = await host.client();
    await client.call(api.settings.get);
    const port = await host.value('HOST_PORT');
    const lock = join(host.workDirectory, '.host', 'host.lock');
    await expect.poll(() => readFile(lock, 'utf8')).toContain(`"port":${port}`);
    const { code, stdout } = await examine(host.workDirectory);
    expect(stdout).toContain(`Running    process ${host.pid} on port ${port}\n`);
    expect(stdout).toContain('Database   SQLITE, in use by the running host\n');
    expect(code).toBe(0);
    expect(await client.call(api.settings.get)).toMatchObject({ theme: 'light' });
  });

  it('ends with code 1 where the database cannot be used, and says why', async () => {
    const { workDirectory } = await useOnce();
    await writeFile(join(workDirectory, '.host', 'database', 'host.db'), 'x'.repeat(8_192));
    const before = await picture(workDirectory);
    const { code, stdout } = await examine(workDirectory);
    expect(code).toBe(1);
    expect(stdout).toContain('Run mode   SETUP: the database cannot be used\n');
    expect(stdout).toContain('The file is not an SQLite database.\n');
    expect(stdout).toMatch(/\nThe configured database cannot be used\.\n$/);
    expect(await picture(workDirectory)).toEqual(before);
  });

  it('ends with code 1 where a plugin is damaged', async () => {
    const { workDirectory } = await useOnce();
    const manifest = join(workDirectory, '.host', 'plugins', examplePackage.id, 'manifest.json');
    await writeFile(manifest, '{');
    const { code, stdout } = await examine(workDirectory);
    expect(code).toBe(1);
    expect(stdout).toContain(`${examplePackage.id}, damaged: `);
  });

  it('reports missing dependencies with a way to get them, and ends with code 1 if one is required', async () => {
    const folder = await hosts.makeFolder();
    const some = await examine(folder, { env: { PATH: await pathOf('java') } });
    expect(some.code).toBe(0);
    expect(some.stdout).toMatch(/git \(optional\)\n {13}Plugins .*\.\n {13}\S.*\n/);
    const bare = await examine(folder, { env: { PATH: await pathOf() } });
    expect(bare.code).toBe(1);
    expect(bare.stdout).toMatch(/Java 17 or newer \(needed\)\n {13}\S.*\.\n {13}\S.*\n/);
    expect(bare.stdout).toMatch(/\nJava 17 or newer is missing: \S.*\n$/);
  });

  const canary = 'c4nary-4711-of-enough-length';
  const server = [
    'db.type=MYSQL',
    `db.url=jdbc:mysql://root:${canary}@127.0.0.1:1/db?password=${canary}`,
  ];
  it.each<[string, string[]]>([
    ['of a server', [...server, `db.username=root`, `db.password=${canary}`]],
    ['that is damaged', [...server, `db.password=ENC(${canary})`]],
    ['that cannot be understood', [`db.password=${canary}\\uZZZZ`, 'db.type=\\uXX']],
    ['of an unknown type', ['db.type=ORACLE', `db.password=${canary}`]],
  ])('prints no secret of a configuration %s, nor of the launch', async (_what, lines) => {
    const folder = await hosts.makeFolder();
    await mkdir(join(folder, '.host', 'config'), { recursive: true });
    await appendFile(properties(folder), `${lines.join('\n')}\n`);
    const before = await picture(folder);
    const env = { HOST_AUTH_TOKEN: `token-${canary}`, HOST_MACHINE_KEY: `key-${canary}` };
    const args = [`-Dhost.marketplace.catalog-url=https://user:${canary}@host/c.json`];
    const { code, stdout, stderr } = await examine(folder, { env, args });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Database {3}\S/m);
    expect(stdout + stderr).not.toContain('c4nary');
    expect(await picture(folder)).toEqual(before);
  });
});
