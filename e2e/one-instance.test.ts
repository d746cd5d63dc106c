import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { type BuiltHost, createHosts } from './built-host.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

const lockOf = (host: BuiltHost): string => join(host.workDirectory, '.host', 'host.lock');

/** Starts a host and waits until its lock names its port. */
async function startFirst(...args: string[]): Promise<BuiltHost> {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE', ...args] });
  const port = Number(await host.value('HOST_PORT'));
  await expect.poll(() => readFile(lockOf(host), 'utf8')).toContain(`"port":${port}`);
  return host;
}

const again = (host: BuiltHost, ...args: string[]): Promise<BuiltHost> =>
  hosts.start({ workDirectory: host.workDirectory, args: ['--port=0', ...args] });

const healthOf = async (host: BuiltHost): Promise<unknown> =>
  (await fetch(`${await host.baseUrl()}/api/health`)).json();

const ticketOf = (url: string): string => new URL(url).hash.replace('#ticket=', '');

async function exchange(host: BuiltHost, ticket: string, origin?: string): Promise<Response> {
  return fetch(`${await host.baseUrl()}/api/web/session`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(origin === undefined ? {} : { Origin: origin }),
    },
    body: JSON.stringify({ ticket }),
  });
}

describe('a second start in the same folder', () => {
  it('ends with code 3, names process and port of the first, and touches nothing', async () => {
    const first = await startFirst();
    const client = await first.client();
    await client.call(api.settings.put, { body: { theme: 'dark' } });
    const lock = await readFile(lockOf(first), 'utf8');
    const names = await readdir(join(first.workDirectory, '.host'), { recursive: true });

    const second = await again(first, '--token=another', '--log-level=TRACE');
    expect(await second.exited).toEqual({ code: 3, signal: null });
    const port = await first.value('HOST_PORT');
    expect(second.stderr()).toBe(
      `A host is already running in this working directory: process ${first.pid} on port ${port}.\n`,
    );
    expect(second.stdout()).toBe('');
    expect(await readFile(lockOf(first), 'utf8')).toBe(lock);
    expect((await readdir(join(first.workDirectory, '.host'), { recursive: true })).sort()).toEqual(
      names.sort(),
    );
    expect(await client.call(api.settings.get)).toMatchObject({ theme: 'dark' });
  });

  it('takes over what a killed host left behind', async () => {
    const first = await startFirst();
    const client = await first.client();
    await expect.poll(() => client.call(api.setup.status)).toMatchObject({ initialized: true });
    first.child.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await readFile(lockOf(first), 'utf8')).toContain(`"pid":${first.pid}`);
    const second = await again(first);
    expect(await healthOf(second)).toEqual({ status: 'ok' });
    await expect.poll(() => readFile(lockOf(second), 'utf8')).toContain(`"pid":${second.pid}`);
    expect((await (await second.client()).call(api.setup.status)).initialized).toBe(true);
  });

  it('finds no lock where the first one ended by itself', async () => {
    const first = await startFirst();
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    expect(await readdir(join(first.workDirectory, '.host'))).not.toContain('host.lock');
  });

  it('in another folder is a separate host', async () => {
    const [first, second] = [await startFirst(), await startFirst()];
    expect(await first.value('HOST_PORT')).not.toBe(await second.value('HOST_PORT'));
    expect([await healthOf(first), await healthOf(second)]).toEqual([
      { status: 'ok' },
      { status: 'ok' },
    ]);
  });
});

describe('the address of the shell', () => {
  it('is printed with --web, and its ticket opens one session from the own origin alone', async () => {
    const host = await startFirst('--web');
    const url = await host.value('HOST_URL');
    const base = await host.baseUrl();
    expect(url).toMatch(new RegExp(`^${base}/#ticket=[\\w-]{43}$`));
    const ticket = ticketOf(url);
    for (const origin of [
      'https://example.org',
      'null',
      'http://127.0.0.1:1',
      base.replace('http', 'https'),
    ])
      expect((await exchange(host, ticket, origin)).status).toBe(403);
    const opened = await exchange(host, ticket, base);
    expect([opened.status, await opened.json()]).toEqual([
      200,
      { token: await host.value('HOST_TOKEN') },
    ]);
    const used = await exchange(host, ticket, base);
    expect([used.status, await used.json()]).toEqual([
      410,
      expect.objectContaining({ code: 'ticket_used' }),
    ]);
    expect((await exchange(host, 'made-up', base)).status).toBe(410);
    expect((await fetch(`${base}/`)).headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  });

  it('is there in SETUP mode as well', async () => {
    const host = await hosts.start({ args: ['--port=0', '--web'] });
    const opened = await exchange(host, ticketOf(await host.value('HOST_URL')));
    expect(await opened.json()).toEqual({ token: await host.value('HOST_TOKEN') });
  });

  it('does not exist without --web', async () => {
    const host = await startFirst();
    const route = await fetch(`${await host.baseUrl()}/api/web/session`, {
      method: 'POST',
      headers: { 'X-Host-Token': await host.value('HOST_TOKEN') },
    });
    expect([route.status, await route.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found' }),
    ]);
    expect((await fetch(`${await host.baseUrl()}/`)).status).toBe(404);
    expect(host.stdout()).not.toContain('HOST_URL');
  });

  it('is printed again on SIGUSR2', async () => {
    const host = await startFirst('--web');
    const first = await host.value('HOST_URL');
    const urls = (): string[] => host.stdout().match(/(?<=^HOST_URL=).*$/gm) ?? [];
    host.child.kill('SIGUSR2');
    await expect.poll(urls).toHaveLength(2);
    const [, second = ''] = urls();
    expect(second).not.toBe(first);
    for (const url of [second, first])
      expect((await exchange(host, ticketOf(url))).status).toBe(200);
    expect(host.stdout().match(/HOST_PORT=/g)).toHaveLength(1);
  });

  it('is asked of the running host by a start with --reopen, which ends with code 0', async () => {
    const host = await startFirst('--web');
    const second = await again(host, '--web', '--reopen');
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(second.stderr()).toBe('');
    const url = /^HOST_URL=(.*)\n$/.exec(second.stdout())?.[1] ?? '';
    expect(url).not.toBe(await host.value('HOST_URL'));
    expect((await exchange(host, ticketOf(url))).status).toBe(200);
    const remaining = await readdir(join(host.workDirectory, '.host'));
    expect(remaining.filter((name) => name.startsWith('address-request-'))).toEqual([]);
  });

  it('is awaited if the running host has only just started to start', async () => {
    const host = await hosts.start({ args: ['--port=0', '--web', '--setup=SQLITE'] });
    await expect.poll(() => readFile(lockOf(host), 'utf8').catch(() => '')).toContain('"pid"');
    const second = await again(host, '--web', '--reopen');
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(second.stdout()).toMatch(/^HOST_URL=http:.*\n$/);
    expect(await healthOf(host)).toEqual({ status: 'ok' });
  });

  it('is not returned by a host without --web, which keeps running', async () => {
    const host = await startFirst();
    const second = await again(host, '--web', '--reopen');
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toBe(
      'The running host gave no address within 5 seconds. It may run without --web.\n',
    );
    expect(await healthOf(host)).toEqual({ status: 'ok' });
  });

  it('is printed by a start with --reopen where no host runs, which stays', async () => {
    const host = await startFirst('--web', '--reopen');
    expect((await exchange(host, ticketOf(await host.value('HOST_URL')))).status).toBe(200);
  });
});
