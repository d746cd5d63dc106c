import { execFileSync } from 'node:child_process';
import {
  chmod,
  lchown,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import { makeTree } from '../testing/hostile-trees.ts';
import { installSample, invoke } from '../testing/sample-plugin.ts';
import { ask, startTestHost, type TestHost } from '../testing/test-host.ts';

const id = 'acme.demo';
const isRoot = process.getuid?.() === 0;
const nobody = 12345;

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
  await installSample(host, { manifest: { id } });
  await host.client.call(api.settings.put, { body: { theme: 'dark' } });
  await host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
  await host.stop();
});
afterEach(async () => {
  await host.stop();
  execFileSync('rm', ['-rf', host.workDirectory]);
});

const start = async (): Promise<TestHost> =>
  (host = await startTestHost({ workDirectory: host.workDirectory, setup: null }));

async function expectAllAsBefore(): Promise<void> {
  expect(host.host.mode()).toBe('APP');
  expect((await host.client.call(api.settings.get)).theme).toBe('dark');
  const plugins = await host.client.call(api.market.list);
  expect(plugins.find((plugin) => plugin.id === id)).toMatchObject({ enabled: false });
}

/** Runs `work` as a user without root rights, since permissions do not apply to root. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  for (const name of await readdir(host.workDirectory, { recursive: true }))
    await lchown(join(host.workDirectory, name), nobody, nobody);
  await lchown(host.workDirectory, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('leftovers that cannot be cleaned up do not block a start', () => {
  it('starts with trees of every kind among the leftovers', async () => {
    for (const kind of ['deep', 'bytes', 'special', 'hollow'] as const) {
      await makeTree(join(host.paths.staging, `data-${kind}`), kind, 3_000);
      await makeTree(join(host.paths.host, 'restoring', kind), kind, 3_000);
    }
    await symlink('circle', join(host.paths.staging, 'circle'));
    await writeFile(join(host.paths.staging, 'old-acme.file'), '');
    await start();
    await expectAllAsBefore();
    await expect.poll(() => readdir(host.paths.staging), { timeout: 60_000 }).toEqual([]);
  });

  it.runIf(isRoot)('starts with a leftover that cannot be deleted', async () => {
    const held = join(host.paths.staging, 'data-held', 'file');
    await mkdir(join(held, '..'));
    await writeFile(held, '');
    execFileSync('chattr', ['+i', held]);
    try {
      await start();
      await expectAllAsBefore();
    } finally {
      execFileSync('chattr', ['-i', held]);
    }
  });

  it('leaves out a package whose manifest is a pipe, a folder or a link; the others work', async () => {
    execFileSync('mkdir', ['-p', ...['pipe', 'folder/manifest.json', 'link'].map(packagePath)]);
    execFileSync('mkfifo', [packagePath('pipe/manifest.json')]);
    await symlink(join(host.paths.plugins, id, 'manifest.json'), packagePath('link/manifest.json'));
    await start();
    await expectAllAsBefore();
    await host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: true } });
    expect(await invoke(host, id, 'echo', { a: 1 })).toEqual({ a: 1 });
    expect(await host.client.call(api.market.list)).toHaveLength(1);
  });
});

const packagePath = (name: string): string => join(host.paths.plugins, name);

describe('a start that fails for another reason than the database', () => {
  it('ends with a message, opens no setup and changes nothing, so a repaired host has all its data', async () => {
    const before = await readFile(host.paths.dataSource, 'utf8');
    for (const folder of [host.paths.plugins, host.paths.staging]) {
      let port = 0;
      const failed = await asNobody(async () => {
        await chmod(folder, 0);
        return startTestHost({
          workDirectory: host.workDirectory,
          setup: null,
          onListening: (announced) => (port = announced),
        }).then(
          () => null,
          (error: unknown) => error as Error & { code: string },
        );
      });
      expect(failed).toMatchObject({ code: 'cannot_start' });
      expect(failed?.message).toMatch(/^The service cannot start: .+ cannot be used \(EACCES\)\. /);
      expect(failed?.message).toContain(folder);
      for (const path of ['/api/setup/status', '/api/setup/types'])
        await expect(ask(port, path, {})).rejects.toThrow(/ECONNREFUSED/);
      expect(await readFile(host.paths.dataSource, 'utf8')).toBe(before);
      expect((await readdir(host.paths.config)).filter((name) => name.includes('.bak'))).toEqual(
        [],
      );
      await chmod(folder, 0o700);
    }
    await start();
    await expectAllAsBefore();
  });

  it('also ends if a file is in place of a folder', async () => {
    await rm(host.paths.staging, { recursive: true });
    await writeFile(host.paths.staging, '');
    await expect(start()).rejects.toMatchObject({ code: 'EEXIST' });
    await rm(host.paths.staging);
    await start();
    await expectAllAsBefore();
    expect((await stat(host.paths.staging)).isDirectory()).toBe(true);
  });
});

it('reports the error to the wizard and does not store the choice', async () => {
  execFileSync('rm', ['-rf', host.workDirectory]);
  host = await startTestHost({ setup: null });
  await asNobody(async () => {
    await chmod(host.paths.plugins, 0);
    const answer = await host.ask('/api/setup/initialize', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"type":"SQLITE"}',
    });
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'cannot_start' });
    expect(host.host.mode()).toBe('SETUP');
    await expect(stat(host.paths.dataSource)).rejects.toThrow(/ENOENT/);
    await chmod(host.paths.plugins, 0o700);
    const again = await host.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
    expect(again.initialized).toBe(true);
    await host.stop();
  });
});
