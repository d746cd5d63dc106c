import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { type BuiltHost, createHosts } from './built-host.ts';

const hosts = createHosts();
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await hosts.cleanUp();
});

/** Listens until the test ends; null if the port is taken. */
function occupy(port: number): Promise<number | null> {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

const health = async (host: BuiltHost): Promise<unknown> =>
  (await fetch(`${await host.baseUrl()}/api/health`)).json();

const settingsStatus = async (host: BuiltHost, token: string): Promise<number> =>
  (await fetch(`${await host.baseUrl()}/api/settings`, { headers: { 'X-Host-Token': token } }))
    .status;

describe('a headless start', () => {
  it('prints the port and the token that it made, and the service answers there [LAUNCH-01, LAUNCH-05, LAUNCH-07, HTTP-04]', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    expect(await health(host)).toEqual({ status: 'ok' });
    const token = await host.value('HOST_TOKEN');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await settingsStatus(host, token)).toBe(200);
    expect(await settingsStatus(host, `${token}x`)).toBe(401);
    const port = await host.value('HOST_PORT');
    expect(port).not.toBe('24056');
    expect(host.stdout()).toBe(`HOST_PORT=${port}\nHOST_TOKEN=${token}\n`);
  });

  it.runIf(process.platform === 'linux')(
    'inherits no open descriptors from its parent',
    async () => {
      const wrap = ['bash', '-c', 'exec 60< /; exec "$@"', 'bash'];
      const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'], wrap });
      expect(await health(host)).toEqual({ status: 'ok' });
      expect(await readdir(`/proc/${host.pid}/fd`)).not.toContain('60');
    },
  );

  it('prints nothing more when it goes from SETUP to APP and back, on the same port', async () => {
    const host = await hosts.start({ args: ['--port=0'] });
    const client = await host.client();
    const before = host.stdout();
    expect((await client.call(api.setup.status)).initialized).toBe(false);
    await client.call(api.setup.initialize, { body: { type: 'SQLITE', params: {} } });
    await expect.poll(() => client.call(api.settings.get)).toMatchObject({ theme: 'light' });
    await client.call(api.setup.clear);
    await expect.poll(async () => (await client.call(api.setup.status)).initialized).toBe(false);
    expect(host.stdout()).toBe(before);
    expect(before.match(/HOST_PORT=/g)).toHaveLength(1);
  });

  it('takes 24056, or another port when that is taken [LIMIT-01, LAUNCH-03, LAUNCH-04]', async () => {
    const isFree = (await occupy(24_056)) !== null;
    const second = await hosts.start();
    const port = Number(await second.value('HOST_PORT'));
    expect(port).not.toBe(24_056);
    expect(await health(second)).toEqual({ status: 'ok' });
    await second.stop();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const third = await hosts.start();
    const isBack = (await third.value('HOST_PORT')) === '24056';
    // Another program on this machine may have taken the port in the meantime.
    expect(isBack || !isFree || (await occupy(24_056)) === null).toBe(true);
    expect(await health(third)).toEqual({ status: 'ok' });
  });

  it('takes the port it is given, and no other if that is taken [LAUNCH-06]', async () => {
    const port = (await occupy(0)) ?? 0;
    const refused = await hosts.start({ args: [`--port=${port}`] });
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.stdout()).toBe('');
    expect(refused.stderr()).toBe(`The port ${port} is taken. Choose another one or --port=0.\n`);
    expect(await readdir(join(refused.workDirectory, '.host'))).not.toContain('host.lock');
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const host = await hosts.start({ args: [`--port=${port}`] });
    expect(await host.value('HOST_PORT')).toBe(String(port));
    expect(await health(host)).toEqual({ status: 'ok' });
  });

  it('listens on 127.0.0.1 and at no other address of this machine [LAUNCH-02]', async () => {
    const host = await hosts.start({ args: ['--port=0', '--web', '--setup=SQLITE'] });
    const port = Number(await host.value('HOST_PORT'));
    await health(host);
    expect(await listeningSockets(host.pid)).toEqual([{ address: '127.0.0.1', port }]);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address))
      .filter((address) => address !== '127.0.0.1');
    expect(await connects('127.0.0.1', port)).toBe(true);
    for (const address of new Set([...others, '127.0.0.2', '::1']))
      expect([address, await connects(address, port)]).toEqual([address, false]);
  });

  it('makes folders that only their owner can enter, and files that only their owner can read', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE', '--log-level=TRACE'] });
    const client = await host.client();
    await client.call(api.settings.put, { body: { theme: 'dark' } });
    await host.stop();
    const root = join(host.workDirectory, '.host');
    const modes: Record<string, string> = {};
    for (const name of ['', ...(await readdir(root, { recursive: true }))]) {
      const { mode } = await stat(join(root, name));
      if (name.startsWith('plugins/')) expect([name, mode & 0o077]).toEqual([name, 0]);
      else modes[name] = (mode & 0o777).toString(8);
    }
    const today = Object.keys(modes).find((name) => name.startsWith('logs/host-')) ?? 'logs/host';
    expect(modes).toEqual({
      '': '700',
      config: '700',
      'config/.machineid': '600',
      'config/datasource.properties': '600',
      database: '700',
      'database/host.db': '600',
      'last-database.json': '600',
      logs: '700',
      [today]: '600',
      'plugin-data': '700',
      plugins: '700',
      staging: '700',
    });
  });
});

describe('the token', () => {
  const token = 'one-time-pad-4711';

  it.each([
    ['--token', [`--token=${token}`], {}],
    ['the environment', [], { HOST_AUTH_TOKEN: token }],
    ['-Dhost.auth.token', [`-Dhost.auth.token=${token}`], {}],
    ['--host.auth.token', [`--host.auth.token=${token}`], {}],
  ])(
    'given by %s is the one that requests need, and is not printed [AUTH-01, LAUNCH-08]',
    async (_by, args, env) => {
      const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE', ...args], env });
      expect(await settingsStatus(host, token)).toBe(200);
      expect(await settingsStatus(host, token.toUpperCase())).toBe(401);
      expect(host.stdout()).toBe(`HOST_PORT=${await host.value('HOST_PORT')}\n`);
    },
  );

  it('is neither on stderr nor in any file, whatever level is logged', async () => {
    const args = ['--port=0', '--setup=SQLITE', '--web', '--log-level=TRACE'];
    const host = await hosts.start({ args, env: { HOST_AUTH_TOKEN: token } });
    const base = await host.baseUrl();
    for (const path of ['/api/settings', '/api/unknown', `/api/settings?token=${token}`])
      await fetch(base + path, { headers: { 'X-Host-Token': token } });
    await fetch(`${base}/api/settings`, {
      method: 'PUT',
      headers: { 'X-Host-Token': token, 'Content-Type': 'application/json' },
      body: '{"theme":',
    });
    const ticket = (await host.value('HOST_URL')).split('=')[1] ?? '';
    await host.stop();
    const root = join(host.workDirectory, '.host');
    const holders: string[] = [];
    let files = 0;
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      files += 1;
      const content = await readFile(join(entry.parentPath, entry.name), 'latin1');
      if (content.includes(token) || content.includes(ticket)) holders.push(entry.name);
    }
    expect(files).toBeGreaterThan(3);
    expect(holders).toEqual([]);
    expect(host.stderr()).not.toContain(token);
    expect(host.stderr()).not.toContain(ticket);
  });
});

describe('the machine key', () => {
  const key = 'sixteen-letters!';
  const configOf = (host: BuiltHost): Promise<string[]> =>
    readdir(join(host.workDirectory, '.host', 'config'));

  it.each([
    ['the environment', [], { HOST_MACHINE_KEY: key }],
    ['-Dhost.machine.key', [`-Dhost.machine.key=${key}`], {}],
    ['-DHOST_MACHINE_KEY', [`-DHOST_MACHINE_KEY=${key}`], {}],
  ])(
    'given by %s replaces the .machineid file [SECRET-07, SECRET-08, SECRET-10]',
    async (_by, args, env) => {
      const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE', ...args], env });
      expect(await settingsStatus(host, await host.value('HOST_TOKEN'))).toBe(200);
      await host.stop();
      expect(await configOf(host)).toEqual(['datasource.properties']);
    },
  );

  it('is a random .machineid where none is given', async () => {
    const host = await hosts.start({ args: ['--port=0'] });
    await health(host);
    expect(await configOf(host)).toEqual(['.machineid']);
    const file = join(host.workDirectory, '.host', 'config', '.machineid');
    expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  });
});

describe('host.web.allow', () => {
  it.each([
    ['-D', ['-Dhost.web.allow=10.0.0.5:8080'], {}],
    ['the environment', [], { HOST_WEB_ALLOW: '10.0.0.5:8080' }],
  ])('given by %s is reported at the start and in the diagnostics', async (_by, args, env) => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE', ...args], env });
    const client = await host.client();
    expect((await client.call(api.host.diagnostics)).webAllow).toEqual(['10.0.0.5:8080']);
    expect(host.stderr()).toContain('The web guard lets through 10.0.0.5:8080 (host.web.allow).');
  });
});

interface Listening {
  address: string;
  port: number;
}

/** Returns the addresses that the process listens on according to the kernel, for IPv4 and IPv6. */
async function listeningSockets(pid: number): Promise<Listening[]> {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) =>
      readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''),
    ),
  );
  const own = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]).filter(Boolean));
  const tables = ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8'));
  const rows = (await Promise.all(tables)).flatMap((table) => table.split('\n').slice(1));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(inode))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      return { address: readableAddress(address), port: Number.parseInt(port, 16) };
    });
}

/** Decodes an IPv4 address, a number in the byte order of the machine (little endian). */
function readableAddress(hex: string): string {
  if (hex.length !== 8) return hex;
  return (hex.match(/../g) ?? [])
    .toReversed()
    .map((byte) => Number.parseInt(byte, 16))
    .join('.');
}
