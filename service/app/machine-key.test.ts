import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../client/index.ts';
import { api } from '../contract/index.ts';
import { createSecrets } from '../platform/secrets.ts';
import { startTestHost } from '../testing/test-host.ts';
import { hostPaths, type HostPaths } from './index.ts';

const entry = join(import.meta.dirname, '..', '..', 'main', 'index.ts');
const token = 'token-of-the-machine-key-test';
const key = 'a key of this machine';

let workDirectory: string;
let paths: HostPaths;
beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'machine-key-'));
  paths = hostPaths(workDirectory);
});
afterEach(() => rm(workDirectory, { recursive: true, force: true }));

const configFiles = async (): Promise<string[]> => (await readdir(paths.config)).sort();
const storedPassword = async (): Promise<string> =>
  getProperties(await readFile(paths.dataSource, 'utf8'))['db.password'] ?? '';

/**
 * Runs the real launcher, stores a secret through it and ends it.
 * @returns the secret as the API shows it afterwards
 */
async function launchAndStore(args: string[], env: Record<string, string>): Promise<string> {
  const all = ['--headless', '--port=0', `--work-dir=${workDirectory}`, '--setup=SQLITE', ...args];
  const child: ChildProcess = spawn(process.execPath, [entry, ...all], {
    env: { ...process.env, HOST_AUTH_TOKEN: token, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/HOST_PORT=\d+\n/);
  const baseUrl = `http://127.0.0.1:${/HOST_PORT=(\d+)/.exec(output)?.[1] ?? ''}`;
  const client = createClient({ baseUrl, token: () => token });
  const body = { webSearch: { apiKey: 'a-secret-of-twenty-one' } };
  const { webSearch } = await client.call(api.settings.put, { body });
  child.kill('SIGTERM');
  await ended;
  return webSearch.apiKey;
}

/** The stored secret as read by a host with that key. */
async function readKeyWith(machineKey: string | null): Promise<string> {
  const host = await startTestHost({ workDirectory, machineKey });
  const { webSearch } = await host.client.call(api.settings.get);
  await host.stop();
  return webSearch.apiKey;
}

describe('the key of the machine', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['a system property', [`-Dhost.machine.key=${key}`], {}],
    ['a flag', [`--host.machine.key=${key}`], {}],
    ['an environment variable', [], { HOST_MACHINE_KEY: key }],
    [
      'a system property before the environment',
      [`-Dhost.machine.key=${key}`],
      { HOST_MACHINE_KEY: 'another key of the environment' },
    ],
  ])(
    'can be given as %s; then no .machineid is made [SECRET-07, SECRET-08, SECRET-10]',
    async (_, args, env) => {
      expect(await launchAndStore(args, env)).toBe('a-se***-one');
      expect(await configFiles()).toEqual(['datasource.properties']);
      expect(createSecrets(key).decrypt('datasource', await storedPassword())).toBe('');
      expect(await readKeyWith(key)).toBe('a-se***-one');
      expect(await readKeyWith('another key of the environment')).toBe('');
    },
  );

  it('comes from a random .machineid when none is provided, and the password key is derived from it [SECRET-05, SECRET-06]', async () => {
    const host = await startTestHost({ workDirectory });
    await host.stop();
    expect(await configFiles()).toEqual(['.machineid', 'datasource.properties']);
    const id = (await readFile(paths.machineId, 'utf8')).trim();
    expect(createSecrets(id).decrypt('datasource', await storedPassword())).toBe('');
  });

  it('that is provided leaves an existing .machineid unchanged and unused [SECRET-10]', async () => {
    await (await startTestHost({ workDirectory })).stop();
    const before = await readFile(paths.machineId, 'utf8');
    const host = await startTestHost({ workDirectory, machineKey: key });
    const body = { webSearch: { apiKey: 'a-secret-of-twenty-one' } };
    await host.client.call(api.settings.put, { body });
    await host.stop();
    expect(await readFile(paths.machineId, 'utf8')).toBe(before);
    expect(await readKeyWith(null)).toBe('');
    expect(await readKeyWith(key)).toBe('a-se***-one');
  });

  it('that is lost makes the secrets unreadable, and the host still starts [SECRET-11]', async () => {
    const host = await startTestHost({ workDirectory });
    const body = { webSearch: { apiKey: 'a-secret-of-twenty-one' }, theme: 'dark' } as const;
    await host.client.call(api.settings.put, { body });
    await host.stop();
    expect(await readKeyWith(null)).toBe('a-se***-one');
    await rm(paths.machineId);
    expect(await readKeyWith(null)).toBe('');
  });
});
