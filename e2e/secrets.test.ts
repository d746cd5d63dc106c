import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  open as openStream,
  type RequestOptions,
} from '../service/testing/test-host.ts';
import { type BuiltHost, createHosts } from './built-host.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

const canary = (of: string): string => `canary${of}${randomBytes(12).toString('hex')}`;

/** Every form in which a text may be stored on disk or transmitted. */
const formsOf = (text: string): Buffer[] => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  Buffer.from(Buffer.from(text).toString('hex')),
  // Base64 at each of the three possible offsets in a longer text.
  ...[0, 1, 2].map((shift) => {
    const code = Buffer.from(' '.repeat(shift) + text).toString('base64');
    return Buffer.from(code.slice(4, -4));
  }),
];

function seenIn(bytes: Buffer | string, secrets: Record<string, string>): string[] {
  const text = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const names = Object.keys(secrets);
  return names.filter((name) => formsOf(secrets[name] ?? '').some((form) => text.includes(form)));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => join(parentPath, name));
}

/** Returns the files that contain a secret, each with the name of the secret. */
async function leaksBelow(folder: string, secrets: Record<string, string>): Promise<string[]> {
  const leaks: string[] = [];
  for (const path of await filesBelow(folder)) {
    const info = await stat(path).catch(() => null);
    // A file that SQLite or the log has just deleted contains nothing.
    const bytes = info?.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : '';
    for (const name of [...seenIn(bytes, secrets), ...seenIn(path, secrets)])
      leaks.push(`${name} in ${relative(folder, path)}`);
  }
  return leaks;
}

/** Calls one host and records all its answers. */
async function recorder(host: BuiltHost, token: string) {
  const port = Number(await host.value('HOST_PORT'));
  const answers: { asked: string; text: string }[] = [];
  const send = async (path: string, options: RequestOptions = {}): Promise<Answer> => {
    const headers = { 'X-Host-Token': token, ...options.headers };
    const answer = await ask(port, path, { ...options, headers });
    const text = `${JSON.stringify(answer.headers)}\n${answer.text}`;
    answers.push({ asked: `${options.method ?? 'GET'} ${path.split('?', 1)[0] ?? ''}`, text });
    return answer;
  };
  const json = { 'Content-Type': 'application/json' };
  return {
    answers,
    get: send,
    raw: (method: string, path: string, body: string) =>
      send(path, { method, headers: json, body }),
    json: (method: string, path: string, body: unknown) =>
      send(path, { method, headers: json, body: JSON.stringify(body) }),
  };
}
type Recorder = Awaited<ReturnType<typeof recorder>>;

async function tryWrongDatabases(to: Recorder, password: string): Promise<void> {
  for (const type of ['MYSQL', 'POSTGRESQL', 'H2', 'SQLITE']) {
    const server = { host: '127.0.0.1', port: 1, database: 'd', username: 'u', password };
    const wrong: object[] = [
      server,
      { ...server, ssl: true, sslCa: '/nowhere/ca.pem' },
      { ...server, host: `${password}/x` },
      { ...server, port: password },
      { ...server, user: password },
      { filePath: '/dev/null/x', password },
    ];
    for (const params of wrong) {
      const tested = await to.json('POST', '/api/setup/test-connection', { type, params });
      expect([200, 400, 409]).toContain(tested.status);
      // An embedded database needs no other parameters, so it would be created.
      if (['H2', 'SQLITE'].includes(type) && params !== wrong.at(-1)) continue;
      await to.json('POST', '/api/setup/initialize', { type, params });
    }
  }
}

async function sendBrokenBodies(to: Recorder, secret: string): Promise<void> {
  const broken = [`{"webSearch":{"apiKey":"${secret}"`, `"${secret}"`, secret, `[${secret}]`];
  const wrong = [
    { webSearch: { apiKey: { text: secret } } },
    { webSearch: { provider: secret } },
    { theme: secret },
    { key: secret },
    { updateApiBase: secret },
  ];
  for (const [method, path] of [
    ['PUT', '/api/settings'],
    ['POST', '/api/notifications'],
    ['POST', '/api/setup/initialize'],
    ['POST', '/api/plugin-runtime/acme.none/invoke'],
  ] as const) {
    for (const body of broken) await to.raw(method, path, body);
    for (const body of wrong) await to.json(method, path, body);
    await to.raw(method, `${path}?token=${secret}`, '{}');
  }
  const form = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.plugin"\r\n\r\n${secret}\r\n--x--\r\n`;
  await to.get('/api/plugin-market/upload', { method: 'POST', headers: form, body });
}

async function readEverything(to: Recorder): Promise<void> {
  for (const path of [
    '/api/health',
    '/api/setup/status',
    '/api/setup/types',
    '/api/settings',
    '/api/notifications',
    '/api/notifications/unread-count',
    '/api/plugin-runtime',
    '/api/plugin-market',
    '/api/diagnostics',
    '/api/openapi.json',
    '/actuator/metrics',
    '/api/nothing',
  ])
    await to.get(path);
}

describe('what must stay secret', () => {
  it('is in no file, log line, answer or command line in the clear; files are for their owner alone (C-01) [SECRET-01, SECRET-04]', async () => {
    const started = { token: canary('Token'), machineKey: canary('MachineKey') };
    const secrets = {
      ...started,
      storedPassword: canary('StoredPassword'),
      urlPassword: canary('UrlPassword'),
      failedPassword: canary('FailedPassword'),
      apiKey: canary('ApiKey'),
      brokenBody: canary('BrokenBody'),
      wrongToken: canary('WrongToken'),
    };
    const workDirectory = await hosts.makeFolder();
    const config = join(workDirectory, '.host', 'config');
    await mkdir(config, { recursive: true, mode: 0o700 });
    const url = `jdbc:postgresql://u:${secrets.urlPassword}@127.0.0.1:1/db`;
    const file = `# mine\ndb.type=POSTGRESQL\ndb.url=${url}\ndb.password=${secrets.storedPassword}\n`;
    await writeFile(join(config, 'datasource.properties'), file, { mode: 0o644 });
    const host = await hosts.start({
      workDirectory,
      args: ['--port=0', '--log-level=TRACE'],
      env: { HOST_AUTH_TOKEN: secrets.token, HOST_MACHINE_KEY: secrets.machineKey },
    });
    const to = await recorder(host, secrets.token);

    await readEverything(to);
    await to.raw('POST', '/api/setup/continue', '');
    await tryWrongDatabases(to, secrets.failedPassword);
    await sendBrokenBodies(to, secrets.brokenBody);
    const initialized = await to.json('POST', '/api/setup/initialize', { type: 'SQLITE' });
    expect(initialized.status).toBe(200);

    const apiKey = { webSearch: { provider: 'brave', apiKey: secrets.apiKey } };
    expect((await to.json('PUT', '/api/settings', apiKey)).status).toBe(200);
    await sendBrokenBodies(to, secrets.brokenBody);
    await tryWrongDatabases(to, secrets.failedPassword);
    await to.get('/api/settings', { headers: { 'X-Host-Token': secrets.wrongToken } });
    await to.get(`/api/settings?token=${secrets.wrongToken}`, { headers: { 'X-Host-Token': '' } });
    const tickets: Record<string, string> = {};
    for (const family of ['notifications', 'ai', 'agent']) {
      const minted = await to.get(`/api/${family}/stream-ticket`, { method: 'POST' });
      const { ticket } = minted.json() as { ticket: string };
      tickets[family] = ticket;
      // The token is returned only where it is created.
      to.answers.pop();
      const stream = `/api/${family}/stream?ticket=${ticket}&streamId=none&runId=none`;
      await to.get(stream, { method: 'HEAD' });
      // Reads only the head, because the notification stream does not end.
      const read = await openStream(Number(await host.value('HOST_PORT')), stream, {});
      to.answers.push({ asked: family, text: JSON.stringify(read.headers) });
      read.drop();
      expect((await to.get(stream)).status).toBeGreaterThanOrEqual(400);
    }
    await readEverything(to);

    const all = { ...secrets, ...tickets };
    expect(await leaksBelow(workDirectory, all)).toEqual([]);
    const procFile = (name: string): Promise<Buffer> => readFile(`/proc/${host.pid}/${name}`);
    if (process.platform === 'linux') {
      expect(seenIn(await procFile('cmdline'), all)).toEqual([]);
      // The starter's own environment variables remain visible to its own user; nothing may be
      // added.
      const come = Object.keys(started);
      expect(seenIn(await procFile('environ'), all).filter((name) => !come.includes(name))).toEqual(
        [],
      );
    }
    expect((await to.get('/api/settings/database/reset', { method: 'POST' })).status).toBe(200);
    await tryWrongDatabases(to, secrets.failedPassword);
    await readEverything(to);
    expect((await host.stop()).code).toBe(0);

    expect(to.answers.length).toBeGreaterThan(150);
    for (const { asked, text } of to.answers)
      expect(seenIn(text, all), `${asked}\n${text}`).toEqual([]);
    expect(seenIn(host.stdout() + host.stderr(), all)).toEqual([]);
    expect(await leaksBelow(workDirectory, all)).toEqual([]);

    const names = (await filesBelow(workDirectory)).map((path) => relative(workDirectory, path));
    const backupName = 'datasource.properties.bak';
    for (const name of [`config/${backupName}`, `config/${backupName}.1`, 'database/host.db'])
      expect(names).toContain(join('.host', ...name.split('/')));
    expect(names.some((name) => name.endsWith('.log'))).toBe(true);
    expect(names).not.toContain(join('.host', 'config', '.machineid'));
    for (const name of names) {
      const info = await stat(join(workDirectory, name));
      expect((info.mode & 0o777).toString(8), name).toBe(info.isDirectory() ? '700' : '600');
    }
  });
});
