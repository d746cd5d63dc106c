import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { type BuiltHost, createHosts } from './built-host.ts';
import { examplePackage, packExample } from './example-package.ts';
import { outerPids } from './inner-pids.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

const params = { id: examplePackage.id };
/** The host exits after five seconds even if something hangs; the rest is for a busy machine. */
const stopLimitMs = 10_000;

async function startWithPlugin(): Promise<{ host: BuiltHost; client: Client }> {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE', '--web'] });
  const client = await host.client();
  await client.call(api.market.upload, { file: await packExample(), fileName: 'sample.plugin' });
  return { host, client };
}

async function invoke<T>(client: Client, method: string): Promise<T> {
  const body = { callId: `${method}-1`, method };
  const reply = await client.call(api.plugins.invoke, { params, body });
  if (!('result' in reply)) throw new Error(JSON.stringify(reply));
  return reply.result as T;
}

/** Returns true if the process has exited, even if its parent has not reaped it. */
async function hasExited(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return (
    stat === null || /^[ZX]$/.test(stat.slice(stat.lastIndexOf(')') + 2, -1).split(' ')[0] ?? '')
  );
}

/** Ids as the worker sees them. */
type Family = Record<'worker' | 'child' | 'escapee', number>;

const livingOf = async (family: Family): Promise<string[]> => {
  const states = await Promise.all(
    Object.entries(family).map(async ([name, pid]: [string, number]) =>
      (await hasExited(pid)) ? [] : [name],
    ),
  );
  return states.flat();
};

describe('a host that is told to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends with code 0 within five seconds, whatever is running',
    async (signal) => {
      const { host, client } = await startWithPlugin();
      const family = await outerPids(host.pid, await invoke<Family>(client, 'family'));
      expect(await livingOf(family)).toEqual(['worker', 'child', 'escapee']);
      const base = await host.baseUrl();
      const token = await host.value('HOST_TOKEN');
      const { ticket } = await client.call(api.notifications.ticket);
      const logs = await fetch(client.url(api.plugins.logStream, { params }), {
        headers: { 'X-Host-Token': token },
      });
      const notifications = await fetch(`${base}/api/notifications/stream?ticket=${ticket}`);
      expect([logs.status, notifications.status]).toEqual([200, 200]);
      const halfABody = await sendHalfABody(base, token);
      const connectionEnds = [
        invoke(client, 'hang'),
        invoke(client, 'spin'),
        logs.text(),
        notifications.text(),
        halfABody(),
      ].map((pendingReply) =>
        pendingReply.then(
          () => 'ended',
          () => 'ended',
        ),
      );
      await expect.poll(() => stateOf(client)).toBe('running');

      const sentAt = performance.now();
      host.child.kill(signal);
      expect(await host.exited).toEqual({ code: 0, signal: null });
      expect(performance.now() - sentAt).toBeLessThan(stopLimitMs);
      expect(host.stderr()).not.toContain('left behind');
      expect(await Promise.all(connectionEnds)).toEqual(connectionEnds.map(() => 'ended'));
      await expect.poll(() => livingOf(family)).toEqual([]);
    },
  );

  it('ends once, however often it is signalled', async () => {
    const { host } = await startWithPlugin();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) host.child.kill(signal);
    expect(await host.exited).toEqual({ code: 0, signal: null });
    expect(host.stderr()).not.toContain('Stopping failed');
  });

  it('while it is still starting ends with code 0 as well', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    await host.value('HOST_PORT');
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    const again = await hosts.start({ args: ['--port=0'], workDirectory: host.workDirectory });
    await again.value('HOST_PORT');
  });
});

describe('a host that is killed', () => {
  it('leaves no process of its workers behind', async () => {
    const { host, client } = await startWithPlugin();
    const family = await outerPids(host.pid, await invoke<Family>(client, 'family'));
    expect(await livingOf(family)).toEqual(['worker', 'child', 'escapee']);
    host.child.kill('SIGKILL');
    expect(await host.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await expect.poll(() => livingOf(family)).toEqual([]);
  });
});

describe('a host whose reader has gone', () => {
  it('continues without stdout and stderr, and still ends with code 0', async () => {
    const host = await hosts.start({
      args: ['--port=0', '--setup=SQLITE', '--web', '--log-level=TRACE'],
    });
    const client = await host.client();
    await host.value('HOST_URL');
    host.child.stdout?.destroy();
    host.child.stderr?.destroy();
    for (let count = 0; count < 3; count += 1) {
      host.child.kill('SIGUSR2');
      expect(await client.call(api.host.health)).toEqual({ status: 'ok' });
    }
    host.child.kill('SIGTERM');
    expect(await host.exited).toEqual({ code: 0, signal: null });
  });

  it('starts although nobody reads its output', async () => {
    const workDirectory = await hosts.makeFolder();
    const config = join(workDirectory, '.host', 'config');
    const first = await hosts.start({ args: ['--port=0'], workDirectory });
    await first.value('HOST_PORT');
    await first.stop();
    await writeFile(join(config, 'datasource.properties'), 'db.type=NONE\n');
    const host = await hosts.start({ args: ['--port=0'], workDirectory });
    host.child.stderr?.destroy();
    const client = await host.client();
    expect((await client.call(api.setup.status)).initialized).toBe(false);
    expect(await host.stop()).toEqual({ code: 0, signal: null });
  });
});

describe('a worker', () => {
  it('sees neither the token nor the machine key of its host', async () => {
    const secrets = { HOST_AUTH_TOKEN: 'token-of-launch', HOST_MACHINE_KEY: 'key-of-this-machine' };
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'], env: secrets });
    const client = await host.client('token-of-launch');
    await client.call(api.market.upload, { file: await packExample(), fileName: 'sample.plugin' });
    const environment = await invoke<Record<string, string>>(client, 'environment');
    expect(environment['HOST_LOG_LEVEL']).toBe('INFO');
    const text = JSON.stringify(environment);
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });
});

const stateOf = async (client: Client): Promise<string> =>
  (await client.call(api.plugins.show, { params })).state;

/** Sends a request with an incomplete body; returns how the connection ends. */
async function sendHalfABody(baseUrl: string, token: string): Promise<() => Promise<unknown>> {
  const headers = {
    'X-Host-Token': token,
    'Content-Type': 'application/json',
    'Content-Length': '1000',
  };
  const outgoing = request(`${baseUrl}/api/settings`, { method: 'PUT', headers });
  const closed = new Promise((resolve) => outgoing.once('close', resolve));
  outgoing.on('error', () => undefined);
  await new Promise((resolve) => outgoing.write('{"theme":', resolve));
  return () => closed;
}
