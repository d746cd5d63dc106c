import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../app/index.ts';
import { api, type Diagnostics } from '../../contract/index.ts';
import { type ChatHost, startChatHost } from '../../testing/chat-host.ts';
import { installSample, invoke } from '../../testing/sample-plugin.ts';

let test: ChatHost;
beforeAll(async () => {
  const first = await startChatHost();
  await first.stop();
  const log = createLog({ level: 'INFO', directory: first.paths.logs, stderr: false });
  test = await startChatHost({ log, workDirectory: first.workDirectory });
});
afterAll(async () => {
  await test.close();
  await test.log.close();
});

const errors = async (): Promise<Diagnostics['errors']> =>
  (await test.client.call(api.host.diagnostics)).errors;
const logged = async (): Promise<string> => (await test.log.lastLines(10_000_000)).join('\n');

/** Expects an error in the diagnostics and in the log file. */
async function expectReported(logger: string, message: string | RegExp): Promise<void> {
  await expect.poll(errors, { timeout: 20_000 }).toContainEqual({
    at: expect.any(String) as string,
    level: 'WARN',
    logger,
    message: expect.stringMatching(message) as string,
  });
  const line = typeof message === 'string' ? message : message.source;
  await expect
    .poll(logged)
    .toMatch(new RegExp(`WARN  \\[${logger}\\] .*${line.replace(/^\^/, '')}`));
}

/** Sends these bytes and disconnects. */
async function leave(bytes: string): Promise<void> {
  const socket = connect(test.port, '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  // After the answer to another request, the bytes have arrived.
  await test.ask('/api/health');
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
}

/** Requests the models of a server that never answers, and disconnects. */
async function leaveSilentModel(): Promise<void> {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const cloud = { apiKey: '', model: 'm', baseUrl };
  await test.client.call(api.aiConfig.put, { body: { cloud_c: cloud } });
  const asked = once(silent, 'request');
  const leaving = new AbortController();
  const answer = test.client.call(api.aiConfig.models, {
    query: { mode: 'cloud_c' },
    signal: leaving.signal,
  });
  const [, response] = (await asked) as [IncomingMessage, ServerResponse];
  const dropped = once(response, 'close');
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await dropped;
  silent.close();
}

const mode = { planApproval: false, permissionMode: 'full-access' } as const;
const run = (command: string) =>
  test.client.call(api.agent.run, {
    body: {
      goal: 'A goal',
      config: mode,
      workflow: {
        steps: [{ title: 'Fails', tool: 'execute_command', arguments: { command }, dependsOn: [] }],
      },
    },
  });

describe('the diagnostics and the log report', () => {
  it('a missing sandbox', async () => {
    await errors();
    await expectReported('isolation', /There is no working sandbox/);
  });

  it('a crash of a worker, and its quarantine', async () => {
    const { id } = await installSample(test);
    for (let crash = 0; crash < 3; crash += 1)
      await invoke(test, id, 'exit', { code: 7 }).catch(() => undefined);
    await expectReported('plugins', /crashed: The worker of .* ended with exit code 7/);
    await expectReported('plugins', /quarantined: It crashed 3 times/);
  });

  it('an MCP server that cannot be started, once for any number of attempts', async () => {
    const args = ['-e', 'process.exit(3)'];
    await test.client.call(api.mcp.create, {
      body: { name: 'broken', transport: 'STDIO', command: process.execPath, args },
    });
    await expectReported('mcp', /^broken: /);
    const { id } = (await test.client.call(api.mcp.list))[0] ?? { id: '' };
    await test.client.call(api.mcp.test, { params: { id } });
    await test.client.call(api.mcp.test, { params: { id } });
    const about = (await errors()).filter(({ message }) => message.startsWith('broken: '));
    expect(new Set(about.map(({ message }) => message)).size).toBe(about.length);
  });

  it('an error of the model', async () => {
    test.model.script(() => ({ refuses: { status: 400, message: 'No such thing.' } }));
    await test.sendMessage('Hello');
    await expectReported('chat', /^A turn failed: /);
  });

  it('a failed run', async () => {
    await run('exit 3');
    await expectReported('agent', /^Run \S+ failed at step 1 \(execute_command\)/);
  });

  it('a hook that cannot be run, and one with an invalid matcher', async () => {
    const hook = { type: 'command', event: 'pre_tool_use', command: '/nowhere/at-all' } as const;
    await test.client.call(api.settings.put, {
      body: {
        hooks: [
          { ...hook, name: 'gone', matcher: '', timeoutSeconds: 60, enabled: true },
          { ...hook, name: 'odd', matcher: '[', timeoutSeconds: 60, enabled: true },
        ],
      },
    });
    await run('true');
    await expectReported('hooks', /^gone: /);
    await expectReported('hooks', /^odd: The hook never runs/);
  });

  it('no error if a client disconnects', async () => {
    await test.client.call(api.settings.put, { body: { hooks: [] } });
    const level = (all: Diagnostics['errors']): unknown[] =>
      all.filter((one) => one.level === 'ERROR' || one.logger === 'http');
    const before = level(await errors());
    const body = '{"callId":"left","method":"hang","params":{}}';
    const head = (path: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${test.port}\r\nX-Host-Token: ${test.token}\r\nContent-Length: ${length}\r\n`;
    const json = 'Content-Type: application/json\r\n\r\n';
    const form = 'Content-Type: multipart/form-data; boundary=x\r\n\r\n';
    const part =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.plugin"\r\n\r\nPK';
    const [plugin] = await test.client.call(api.plugins.list);
    await leave(`${head('/api/chat', 100)}${json}{"a"`);
    await leave(`${head('/api/plugin-market/upload', 1_000_000)}${form}${part}`);
    await leave(head(`/api/plugin-runtime/${plugin?.id ?? ''}/invoke`, body.length) + json + body);
    const leaving = await test.open('/api/settings/backup', { method: 'POST' });
    leaving.drop();
    const turn = await test.startTurn('Hello');
    turn.leave();
    await turn.ended;
    await leaveSilentModel();
    await test.ask('/api/health');
    expect(level(await errors())).toEqual(before);
  });
});
