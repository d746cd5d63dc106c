import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api, DeveloperFile } from '../../../contract/index.ts';
import { ServiceError } from '../../../client/index.ts';
import { type DebuggerProgram, startDebugger } from '../../../testing/debugger-program.ts';
import { type DebuggingSession, listens, openSession } from '../../../testing/debugging-session.ts';
import { installSample, invoke, samplePackage } from '../../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';
import { useFolder } from '../../../testing/use-for-file.ts';

const id = 'acme.debugged';
const official = 'host.words';
/** The test sets a breakpoint on line 5. */
const worker = `import { createInterface } from 'node:readline';
const life = crypto.randomUUID();
const answers = {
  echo: async ({ word }) => {
    const seen = word + ' inside';
    return { word: seen };
  },
  slow: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, 'slow')),
  how: async () => ({ life, arguments: process.execArgv }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (await answers[method]?.(params)) ?? null;
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answer }) + '\\n');
}
`;
const manifest = {
  id,
  name: 'Debugged',
  methods: { echo: {}, how: {}, slow: { timeoutSeconds: 1 } },
};

const folder = await useFolder('node-inspect-');
let test: TestHost;
let sessions: DebuggingSession[] = [];
let programs: DebuggerProgram[] = [];

beforeAll(async () => {
  const shipped = join(folder, 'shipped');
  await mkdir(shipped);
  const bytes = await samplePackage({ manifest: { id: official, official: true } });
  const file = join(shipped, `${official}-1.0.0.plugin`);
  await writeFile(file, bytes);
  await writeFile(`${file}.sha256`, createHash('sha256').update(bytes).digest('hex'));
  test = await startTestHost({
    sandboxPath: process.env['PATH'],
    resources: { plugins: shipped },
  });
  await turn(true);
  await install();
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.close()));
  for (const session of sessions) session.leave();
  for (const { port } of sessions) await expect.poll(() => listens(port)).toBe(false);
  programs = [];
  sessions = [];
});
afterAll(() => test.close());

const turn = (developerMode: boolean) =>
  test.client.call(api.settings.put, { body: { developerMode } });

const install = () => installSample(test, { manifest, files: { 'backend/worker.mjs': worker } });

async function open(token?: string): Promise<DebuggingSession> {
  const session = await openSession(test, id, token);
  sessions.push(session);
  return session;
}

/** The debugger of Node itself, as documented. */
function nodeInspect({ port }: DebuggingSession): DebuggerProgram {
  const program = startDebugger(process.execPath, ['inspect', `127.0.0.1:${port}`]);
  programs.push(program);
  return program;
}

/** Connects a debugger that does nothing else. */
async function connect({ url }: Pick<DebuggingSession, 'url'>) {
  const client = new WebSocket(url);
  const closed = new Promise((resolve) => client.addEventListener('close', resolve));
  await new Promise((resolve, reject) => {
    client.addEventListener('open', resolve);
    client.addEventListener('error', reject);
  });
  return { client, closed };
}

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof ServiceError ? error.problem : error),
  );

const how = async () => (await invoke(test, id, 'how')) as { life: string; arguments: string[] };

async function breakOnce(program: DebuggerProgram): Promise<void> {
  await program.until(/debug> /);
  program.type("setBreakpoint('worker.mjs', 5)");
  await program.until(/debug> /);
  const call = invoke(test, id, 'echo', { word: 'seen' });
  await program.until(/break in .*worker\.mjs:5[^]*debug> /);
  program.type('exec word');
  await program.until(/'seen'/);
  program.type('cont');
  expect(await call).toEqual({ word: 'seen inside' });
}

/** Sends a list request or an upgrade with the headers of the test; resolves with the status. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy();
      resolve(101);
    });
    asked.on('error', reject).end();
  });
}

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.from('a key of 16 byte').toString('base64'),
};

describe('a Node debugger', () => {
  it('stops a sandboxed worker, reads a variable and resumes it, twice', async () => {
    const session = await open();
    expect(session).toMatchObject({ runtime: 'node', root: '/plugin' });
    expect(session.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/[-0-9a-f]{36}$/);
    const first = nodeInspect(session);
    await breakOnce(first);
    await first.close();
    const { life, arguments: options } = await how();
    expect(options).not.toContain('--import');
    await breakOnce(nodeInspect(session));
    expect((await how()).life).toBe(life);
  });

  it('reconnects to the worker at the same port after the plugin was reinstalled', async () => {
    const session = await open();
    const first = await connect(session);
    await install();
    await first.closed;
    await breakOnce(nodeInspect(session));
  });

  it('suspends the timeouts of the worker only while the session is open', async () => {
    const session = await open();
    expect(await invoke(test, id, 'slow', { ms: 1_500 })).toBe('slow');
    session.leave();
    await expect.poll(() => listens(session.port)).toBe(false);
    expect(await problemOf(invoke(test, id, 'slow', { ms: 60_000 }))).toMatchObject({
      code: 'worker_timed_out',
    });
  });

  it('is the only one at a time, and pages cannot connect', async () => {
    const { port, url } = await open();
    const { pathname } = new URL(url);
    expect(await statusOf(port, '/json/list', {})).toBe(200);
    expect(await statusOf(port, '/json/list', { Host: 'evil.example' })).toBe(403);
    expect(await statusOf(port, '/another', upgrade)).toBe(403);
    expect(await statusOf(port, pathname, { ...upgrade, Host: 'evil.example' })).toBe(403);
    expect(await statusOf(port, pathname, { ...upgrade, 'Sec-WebSocket-Key': 'x' })).toBe(400);
    expect(await statusOf(port, pathname, { ...upgrade, Origin: 'https://evil.example' })).toBe(
      403,
    );
    const { client, closed } = await connect({ url });
    expect(await statusOf(port, pathname, upgrade)).toBe(503);
    client.send('no command');
    await closed;
    await expect.poll(() => statusOf(port, pathname, upgrade)).toBe(101);
  });
});

describe('a debugging session', () => {
  it('ends with its stream: the port is freed, and the worker runs without the debugger', async () => {
    const session = await open();
    const { life } = await how();
    const client = await connect(session);
    session.leave();
    await client.closed;
    await expect.poll(() => listens(session.port)).toBe(false);
    await expect.poll(async () => (await problemOf(how())) ?? 'answers').toBe('answers');
    expect((await how()).life).not.toBe(life);
    await open();
  });

  it('is refused for a wrong token, official plugins, unknown plugins and a second session', async () => {
    const file = await readFile(test.paths.developer, 'utf8');
    const { token } = DeveloperFile.parse(JSON.parse(file));
    const refused = (plugin: string, usedToken = token) =>
      problemOf(openSession(test, plugin, usedToken));
    expect(await refused(id, 'wrong')).toMatchObject({ status: 401 });
    expect(await refused(official)).toMatchObject({ status: 403, code: 'reserved_identity' });
    expect(await refused(official, test.token)).toMatchObject({ code: 'reserved_identity' });
    expect(await refused('acme.none')).toMatchObject({ status: 404, code: 'unknown_plugin' });
    await open(token);
    expect(await refused(id)).toMatchObject({ status: 409, code: 'already_inspected' });
  });

  it('is refused while developer mode is off, and ends when it is turned off', async () => {
    const session = await open();
    await turn(false);
    expect(await session.ended).toMatchObject({
      message: expect.stringContaining('“Developer mode”') as unknown,
    });
    await expect.poll(() => listens(session.port)).toBe(false);
    try {
      expect(await problemOf(openSession(test, id))).toMatchObject({
        status: 403,
        code: 'developer_mode_off',
        detail: expect.stringContaining('“Developer mode”') as unknown,
      });
    } finally {
      await turn(true);
    }
  });
});
