import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient, type ServiceError } from '../client/index.ts';
import { api, Settings } from '../contract/index.ts';
import { hostPaths, type HostPaths } from './index.ts';

const entry = join(import.meta.dirname, '..', '..', 'main', 'index.ts');
const token = 'token-of-the-kill-test';

let workDirectory: string;
let paths: HostPaths;
let child: ChildProcess | undefined;
beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'kill-'));
  paths = hostPaths(workDirectory);
});
afterEach(async () => {
  await kill();
  await rm(workDirectory, { recursive: true, force: true });
});

async function kill(): Promise<void> {
  if (!child) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  child = undefined;
}

/** The real launcher in a process of its own. */
async function launch(): Promise<Client> {
  const args = ['--headless', '--port=0', `--work-dir=${workDirectory}`, '--setup=SQLITE'];
  child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, HOST_AUTH_TOKEN: token },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/HOST_PORT=\d+\n/);
  const port = /HOST_PORT=(\d+)/.exec(said)?.[1] ?? '';
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => token });
}

/** A promise that may fail because its service was killed, and by nothing else. */
const orKilled = async <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    const { problem } = error as ServiceError;
    expect(problem).toMatchObject({ code: 'unreachable' });
    return null;
  });

const rounds = 15;

describe('a service that is killed (R-03)', () => {
  it('while settings are put has the old values or the new ones, never some of each [SETTINGS-03]', async () => {
    let expected = 0;
    for (let round = 0; round < rounds; round += 1) {
      const client = await launch();
      const settings = Settings.parse(await client.call(api.settings.get));
      const numbers = [
        Number(settings.permissionRules.deny || '0'),
        Number(settings.permissionRules.allow || '0'),
        Number(settings.pinnedPlugins[0] ?? '0'),
        Number(settings.workspaceDirectory || '0'),
      ];
      expect(new Set(numbers).size, numbers.join()).toBe(1);
      expect(numbers[0]).toBeGreaterThanOrEqual(expected);
      let next = numbers[0] ?? 0;
      let acknowledged = next;
      const writing = (async () => {
        for (;;) {
          const text = String((next += 1));
          const body = {
            permissionRules: { deny: text, allow: text },
            pinnedPlugins: [text],
            workspaceDirectory: text,
          };
          if ((await orKilled(client.call(api.settings.put, { body }))) === null) return;
          acknowledged = next;
        }
      })();
      const goal = acknowledged + 1 + (round % 5);
      await expect.poll(() => acknowledged, { interval: 1 }).toBeGreaterThanOrEqual(goal);
      await kill();
      await writing;
      expected = acknowledged;
    }
  }, 600_000);

  it('while the database is reset has the configuration whole, here or as a backup [SETUP-15]', async () => {
    const isWhole = (text: string): void =>
      expect(Object.keys(getProperties(text))).toEqual([
        'db.type',
        'db.url',
        'db.driver',
        'db.dialect',
        'db.username',
        'db.password',
        'db.file.path',
      ]);
    for (let round = 0; round < rounds; round += 1) {
      const client = await launch();
      // After a reset, `--setup` leaves the choice to the person.
      const { initialized } = await client.call(api.setup.status);
      if (!initialized) await client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
      const original = await readFile(paths.dataSource, 'utf8');
      isWhole(original);
      const reset = orKilled(client.call(api.settings.resetDatabase));
      // From at once to after it was done.
      for (let turn = 0; turn < round * 3; turn += 1) await client.call(api.host.health);
      await kill();
      const done = await reset;
      const names = (await readdir(paths.config)).filter((name) => name.startsWith('datasource'));
      const kept = await Promise.all(
        names.map((name) => readFile(join(paths.config, name), 'utf8')),
      );
      expect(kept).toContain(original);
      for (const text of kept) isWhole(text);
      if (done !== null) expect(names).not.toContain('datasource.properties');
    }
  }, 600_000);
});
