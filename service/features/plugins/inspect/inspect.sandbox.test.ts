import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../client/index.ts';
import { api, type Inspector } from '../../../contract/index.ts';
import { invoke } from '../../../testing/sample-plugin.ts';
import { packPlugin } from '../../../testing/packages.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';
import { makeTestPlugin } from '../../../testing/workers/test-plugin.ts';

const host = await useForFile(startTestHost({ sandboxPath: process.env['PATH'] ?? '' }));
const developerMode = (isOn: boolean): Promise<unknown> =>
  host.client.call(api.settings.put, { body: { developerMode: isOn } });

async function install(bytes: Buffer): Promise<void> {
  const input = { file: new Blob([new Uint8Array(bytes)]), fileName: 'made.plugin' };
  await host.client.call(api.developer.install, input);
}

/** Answers what its process was started with. */
const tellingWorker = `
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
globalThis.marked = 'seen by the debugger';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== 'tell') return;
  const result = { execArgv: process.execArgv, sees: existsSync('/inspect') };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

const installNode = async (id: string): Promise<void> => {
  const manifest = { id, worker: { runtime: 'node' }, methods: { tell: {} } };
  const files = { 'backend/worker.jar': null, 'backend/worker.mjs': tellingWorker };
  await install(await packPlugin({ manifest, files }));
};

interface Session extends Inspector {
  /** Ends the stream from this side. */
  leave(): void;
  /** Resolves when the stream is over. */
  ended: Promise<void>;
}

const sessions: Session[] = [];
afterEach(async () => {
  for (const { leave, ended } of sessions.splice(0)) {
    leave();
    await ended;
  }
});

async function inspect(id: string): Promise<Session> {
  const ending = new AbortController();
  const { signal } = ending;
  const stream = host.client.stream(api.developer.inspect, { params: { id }, signal });
  const first = await stream.next();
  if (first.done === true) throw new Error('The stream has ended.');
  const ended = stream.next().then(
    () => undefined,
    () => undefined,
  );
  const session = { ...first.value.data, leave: () => ending.abort(), ended };
  sessions.push(session);
  return session;
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.problem.code : String(error)),
  );

/** Speaks the inspector protocol with the first target that the port offers. */
async function devTools(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const events: string[] = [];
  const pending = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number; method?: string; result: unknown };
    if (message.id === undefined) events.push(message.method ?? '');
    else pending.get(message.id)?.(message.result);
  };
  let last = 0;
  return {
    socket,
    events,
    post(method: string, params: object = {}): Promise<unknown> {
      last += 1;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      pending.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
      return promise;
    },
  };
}

describe('a session with a debugger for a worker of Node', () => {
  it('reaches the worker in its sandbox, holds it at a breakpoint and lets it go on', async () => {
    await developerMode(true);
    await installNode('acme.inspected');
    const { runtime, port } = await inspect('acme.inspected');
    expect(runtime).toBe('node');
    const { post, events, socket } = await devTools(port);
    expect(await post('Runtime.evaluate', { expression: 'marked' })).toMatchObject({
      result: { value: 'seen by the debugger' },
    });
    await post('Debugger.enable');
    await post('Debugger.pause');
    const call = invoke(host, 'acme.inspected', 'tell');
    await expect.poll(() => events).toContain('Debugger.paused');
    await post('Debugger.resume');
    expect(await call).toMatchObject({ sees: true });
    socket.close();
  });

  it('is about that worker alone, and ends with its stream', async () => {
    await developerMode(true);
    await installNode('acme.inspected');
    await installNode('acme.other');
    const { port, leave, ended } = await inspect('acme.inspected');
    expect(await invoke(host, 'acme.other', 'tell')).toEqual({
      execArgv: [expect.stringContaining('--max-old-space-size')],
      sees: false,
    });
    expect(await codeOf(inspect('acme.inspected'))).toBe('inspector_in_use');
    // A new copy of the plugin is let in to as well.
    await installNode('acme.inspected');
    const { post, socket } = await devTools(port);
    expect(await post('Runtime.evaluate', { expression: '1 + 1' })).toMatchObject({
      result: { value: 2 },
    });
    socket.close();
    leave();
    await ended;
    await expect
      .poll(() => fetch(`http://127.0.0.1:${port}/json/list`).then(String, () => 'closed'))
      .toBe('closed');
    expect(await invoke(host, 'acme.inspected', 'tell')).toMatchObject({ sees: false });
  });

  it('is refused while developer mode is off, and ends when it is turned off', async () => {
    await developerMode(true);
    await installNode('acme.inspected');
    const { ended, port } = await inspect('acme.inspected');
    await developerMode(false);
    await ended;
    await expect(fetch(`http://127.0.0.1:${port}/json/list`)).rejects.toThrow('fetch failed');
    expect(await codeOf(inspect('acme.inspected'))).toBe('developer_mode_off');
    await developerMode(true);
    expect(await codeOf(inspect('acme.unknown'))).toBe('unknown_plugin');
  });
});

/** Sends the handshake and one command, and gives the answer to that as text. */
async function askJdwp(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  socket.write('JDWP-Handshake');
  await expect.poll(() => received.toString('latin1')).toContain('JDWP-Handshake');
  // Length, id, flags, the set of commands VirtualMachine, its command Version.
  socket.write(Buffer.from([0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 1]));
  await expect.poll(() => received.length).toBeGreaterThan(40);
  socket.destroy();
  return received.subarray(25).toString('latin1');
}

describe('a session with a debugger for a worker of Java', () => {
  it('takes one debugger after the other, and leaves the answers of the worker as they are', async () => {
    await developerMode(true);
    const made = await makeTestPlugin('EchoWorker.java');
    const jar = await readFile(join(made.plugin.directory, 'backend/worker.jar'));
    await made.remove();
    const manifest = { id: 'acme.java', methods: { echo: {} } };
    await install(await packPlugin({ manifest, files: { 'backend/worker.jar': jar } }));
    const { runtime, port } = await inspect('acme.java');
    expect(runtime).toBe('java');
    expect(await askJdwp(port)).toContain('Java Debug Wire Protocol');
    expect(await askJdwp(port)).toContain('Java Debug Wire Protocol');
    expect(await invoke(host, 'acme.java', 'echo', { a: 1 })).toEqual({ a: 1 });
    const logs = await host.client.call(api.plugins.logs, { params: { id: 'acme.java' } });
    expect(logs.filter(({ level }) => level === 'WARN')).toEqual([]);
  });
});
