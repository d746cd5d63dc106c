import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildLiteDeb } from '../scripts/packages/lite-deb.ts';
import { type Client, createClient } from '../service/client/index.ts';
import { api, hostVersion } from '../service/contract/index.ts';
import { startUpdateServer, type UpdateServer } from '../service/testing/update-server.ts';
import { createMachine, type Machine } from './installed-lite.ts';
import { type CommandResult, run } from './run.ts';
import { exchange, otherVersion } from './lite-versions.ts';

let folder = '';
let deb = '';
let machine: Machine;
let server: UpdateServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollback-'));
  deb = buildLiteDeb({ output: folder, level: 1 }).file;
  machine = createMachine({ alone: true });
  expect(machine.dpkg('--install', deb)).toMatchObject({ code: 0 });
  server = await startUpdateServer();
});
afterAll(async () => {
  await server?.close();
  machine?.cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

const clients = new Map<string, Client>();

/** Returns a client for the page that was opened last; its address works once. */
async function opened(): Promise<Client> {
  const url = machine.opened().at(-1) ?? '';
  const existing = clients.get(url);
  if (existing) return existing;
  const { token } = await exchange(url);
  const client = createClient({ baseUrl: new URL(url).origin, token: () => token });
  clients.set(url, client);
  return client;
}

const updates = (): string => join(machine.home, '.local/share/plugin-host/.host/updates');
const installed = (): string => {
  const admin = `--admindir=${join(machine.root, 'var/lib/dpkg')}`;
  return run('dpkg-query', [admin, '-W', '-f', '${Status} ${Version}', 'plugin-host-lite']).stdout;
};
const oldInstalled = `install ok installed ${hostVersion.replace('-', '~')}`;

/** Goes from the offer to the question for an administrator. */
async function askForUpdate(file: string, version: string) {
  const client = await opened();
  await client.call(api.settings.put, { body: { theme: 'dark', updateApiBase: server.base } });
  server.offer(readFileSync(file), { build: 'lite-deb', file: basename(file), version });
  const state = async () => (await client.call(api.updates.get)).state;
  await client.call(api.updates.check);
  await client.call(api.updates.install);
  await expect.poll(state, { timeout: 60_000 }).toBe('ready');
  const restarted = client.call(api.updates.restart).catch((error: unknown) => error);
  return { client, restarted, administrator: await machine.askedAsAdministrator() };
}

const limitTo = (seconds: number): void => {
  const file = join(machine.root, 'etc/default/plugin-host-lite');
  mkdirSync(join(file, '..'), { recursive: true });
  appendFileSync(file, `UPDATE_START_LIMIT=${seconds}\n`);
};
const limitAgain = (): void =>
  rmSync(join(machine.root, 'etc/default/plugin-host-lite'), { force: true });

describe('a lite package that is no good', () => {
  let pages = 0;
  beforeEach(() => {
    expect(machine.launch(['--port=0'])).toMatchObject({ code: 0 });
    pages = machine.opened().length;
  });
  afterEach(limitAgain);

  /**
   * Checks that the previous version is installed, was opened for the user, and reports the reason.
   */
  async function expectTakenBack(version: string, why: RegExp): Promise<void> {
    expect(installed()).toBe(oldInstalled);
    await expect.poll(() => machine.opened().length, { timeout: 60_000 }).toBeGreaterThan(pages);
    // The page may still be that of the stopped host.
    const updateState = async () => (await opened()).call(api.updates.get).catch(() => null);
    await expect.poll(updateState, { timeout: 60_000 }).toMatchObject({ version: hostVersion });
    await expect
      .poll(async () => (await updateState())?.error?.code, { timeout: 60_000 })
      .toBe('update_taken_back');
    const client = await opened();
    const { error, version: running } = await client.call(api.updates.get);
    expect(running).toBe(hostVersion);
    expect(error?.message).toMatch(
      new RegExp(`^The update to ${version} was rolled back: ${why.source}`),
    );
    expect(await client.call(api.settings.get)).toMatchObject({ theme: 'dark' });
    expect(machine.hosts()).toHaveLength(1);
  }

  it('gives way to the one from before where its host ends at once, and Updates tells why', async () => {
    const first = "process.stderr.write('No such thing.\\n'); process.exit(3);";
    const file = otherVersion({ deb, folder, version: '99.1.0', reportToHost: true, first });
    const { administrator } = await askForUpdate(file, '99.1.0');
    expect(await administrator.run()).toBe(1);
    await expectTakenBack('99.1.0', /No such thing\. The previous version is running again\.$/);
  });

  it('gives way where its host never answers and does not end when it is asked to', async () => {
    limitTo(4);
    const first =
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); await new Promise(() => {});";
    const file = otherVersion({ deb, folder, version: '99.2.0', reportToHost: true, first });
    const { administrator } = await askForUpdate(file, '99.2.0');
    const startedMs = Date.now();
    expect(await administrator.run()).toBe(1);
    expect(Date.now() - startedMs).toBeLessThan(110_000);
    await expectTakenBack('99.2.0', /it did not answer in time\./);
  });

  it('gives way where its host is another version than was promised', async () => {
    const file = otherVersion({ deb, folder, version: '99.3.0' });
    const { administrator } = await askForUpdate(file, '99.3.0');
    expect(await administrator.run()).toBe(1);
    await expectTakenBack('99.3.0', new RegExp(`it is ${hostVersion}, not 99\\.3\\.0\\.`));
  });

  it('is refused where it was swapped while an administrator looked for the password', async () => {
    const file = otherVersion({ deb, folder, version: '99.4.0', reportToHost: true });
    const { client, restarted, administrator } = await askForUpdate(file, '99.4.0');
    const before = machine.hosts();
    appendFileSync(administrator.args[1] ?? '', 'more');
    expect(await administrator.run()).toBe(3);
    expect(await restarted).toMatchObject({ problem: { code: 'update_damaged' } });
    expect(installed()).toBe(oldInstalled);
    expect(machine.hosts()).toEqual(before);
    expect(await client.call(api.updates.get)).toMatchObject({ state: 'available' });
  });

  it('leaves the version that can be put back by hand where what replaces it is killed', async () => {
    const first = 'setInterval(() => {}, 1_000); await new Promise(() => {});';
    const file = otherVersion({ deb, folder, version: '99.5.0', reportToHost: true, first });
    const { administrator } = await askForUpdate(file, '99.5.0');
    const ended = administrator.run();
    await expect.poll(installed, { timeout: 60_000 }).toContain('installed 99.5.0');
    await expect.poll(() => machine.hosts().length, { timeout: 60_000 }).toBe(1);
    administrator.kill();
    expect(await ended).toBe(137);
    const previous = join(machine.root, 'var/lib/plugin-host-lite/previous.deb');
    expect(machine.dpkg('--install', previous)).toMatchObject({ code: 0 });
    expect(installed()).toBe(oldInstalled);
    expect(machine.launch(['--port=0'])).toMatchObject({ code: 0 });
    expect(await (await opened()).call(api.updates.get)).toMatchObject({ version: hostVersion });
  });
});

/** As the page shows it when `pkexec` is not used. */
describe('the command for an administrator', () => {
  afterEach(limitAgain);

  async function runCommand(version: string, then: string, first?: string): Promise<CommandResult> {
    expect(machine.launch(['--port=0'])).toMatchObject({ code: 0 });
    const file = otherVersion({ deb, folder, version, reportToHost: true, first });
    const own = join(updates(), basename(file));
    mkdirSync(updates(), { recursive: true });
    copyFileSync(file, own);
    machine.giveToUser(updates(), own);
    const sum = run('sha256sum', [own]).stdout.slice(0, 64);
    return machine.runAsAdministrator([
      join(machine.root, 'usr/lib/plugin-host/update'),
      ...[own, sum, `--then=${then}`],
    ]);
  }

  it('tries a host that somebody has opened, and goes back where that ends', async () => {
    const first = "process.stderr.write('No such thing.\\n'); process.exit(7);";
    expect(await runCommand('99.8.0', 'try', first)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /rolled back: No such thing\. \(ended with 7\)\. \S+ is installed\. Open it again: plugin-host\n$/,
      ) as string,
    });
    expect(installed()).toBe(oldInstalled);
    expect(machine.hosts()).toEqual([]);
    expect(machine.launch(['--port=0'])).toMatchObject({ code: 0 });
    const { error } = await (await opened()).call(api.updates.get);
    expect(error).toMatchObject({ code: 'update_taken_back' });
  });

  it('goes back where systemd brings no host that answers', async () => {
    limitTo(3);
    expect(await runCommand('99.6.0', 'wait')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /Waiting for 99\.6\.0 to answer[^]*The update to 99\.6\.0 was rolled back: it did not answer in time/,
      ) as string,
    });
    expect(installed()).toBe(oldInstalled);
    expect(machine.launch(['--port=0'])).toMatchObject({ code: 0 });
    const { error } = await (await opened()).call(api.updates.get);
    expect(error).toMatchObject({ code: 'update_taken_back' });
  });

  it('stays with the new version once the host that systemd brings answers', async () => {
    const ended = runCommand('99.7.0', 'wait');
    await expect.poll(installed, { timeout: 60_000 }).toBe('install ok installed 99.7.0');
    machine.start(['--headless', '--web', '--port=0']);
    expect(await ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('99.7.0 is installed, and answers.') as string,
    });
    expect(machine.launch()).toMatchObject({ code: 0 });
    const { error, version } = await (await opened()).call(api.updates.get);
    expect({ error, version }).toEqual({ error: undefined, version: '99.7.0' });
  });

  it('leaves the new version that it has tried to be opened again', async () => {
    expect(await runCommand('99.9.0', 'try')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('99.9.0 is installed, and answers. Open it again') as string,
    });
    expect(machine.hosts()).toEqual([]);
    expect(machine.launch(['--port=0'])).toMatchObject({ code: 0 });
    const { error, version } = await (await opened()).call(api.updates.get);
    expect({ error, version }).toEqual({ error: undefined, version: '99.9.0' });
  });
});
