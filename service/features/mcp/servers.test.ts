import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type McpDefinition } from '../../contract/index.ts';
import { createLog } from '../../platform/log.ts';
import { hostileServer } from '../../testing/mcp/hostile-servers.ts';
import {
  addServer,
  addUntil,
  callTool,
  catalogNames,
  removeServer,
  showServer,
  textOf,
  untilState,
} from '../../testing/mcp/mcp-host.ts';
import { realServer, remoteServer } from '../../testing/mcp/real-servers.ts';
import { useEverything } from '../../testing/mcp/use-everything.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { serveWeb } from '../../testing/web-server.ts';

let host: TestHost;
let logs: string;
beforeAll(async () => {
  logs = await mkdtemp(join(tmpdir(), 'mcp-logs-'));
  host = await startTestHost({
    log: createLog({ level: 'DEBUG', directory: logs, stderr: false }),
  });
});
afterAll(async () => {
  await host.close();
  await rm(logs, { recursive: true, force: true });
});

const problem = (status: number, code: string): object => ({ problem: { status, code } });
const replace = (id: string, body: Parameters<typeof bodyOf>[0]) =>
  host.client.call(api.mcp.replace, { params: { id }, body: bodyOf(body) });
/** A request body, in which fields with defaults may be absent. */
const bodyOf = (
  body: Omit<McpDefinition, 'env' | 'headers'> & {
    env?: Record<string, string | null>;
    headers?: Record<string, string | null>;
  },
) => body;
const secret = (): string => `canary-${randomBytes(12).toString('hex')}`;
const environmentOf = async (id: string): Promise<Record<string, string>> =>
  JSON.parse(textOf(await callTool(host, id, 'get-env'))) as Record<string, string>;

describe('a server', () => {
  it('has a name that is valid in tool names, and a command or an address', async () => {
    const good = hostileServer();
    for (const name of ['a__b', 'a_', '_a', '', 'a b', 'ä', 'x'.repeat(33), '../a', '-a'])
      await expect(addServer(host, { ...good, name })).rejects.toMatchObject({
        problem: { status: 400 },
      });
    for (const bad of [
      { ...good, command: ' ' },
      { name: 'x', transport: 'SSE' as const, url: 'ftp://127.0.0.1/' },
      { name: 'x', transport: 'SSE' as const },
      { name: 'x', transport: 'STREAMABLE_HTTP' as const, url: 'http://a:b@127.0.0.1/mcp' },
      {
        name: 'x',
        transport: 'STREAMABLE_HTTP' as const,
        url: 'http://127.0.0.1',
        endpoint: 'http://evil.test/mcp',
      },
    ])
      await expect(host.client.call(api.mcp.create, { body: bad })).rejects.toMatchObject(
        problem(400, 'invalid_server'),
      );
    expect(await host.client.call(api.mcp.list)).toEqual([]);
  });

  it('has a unique name, however many are added at once', async () => {
    const added = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        addServer(host, hostileServer('good', { name: index % 2 ? 'Same' : 'same' })),
      ),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of added)
      if (one.status === 'rejected') expect(one.reason).toMatchObject(problem(409, 'name_taken'));
    const [view, ...others] = await host.client.call(api.mcp.list);
    expect(others).toEqual([]);
    await removeServer(host, view!.id);
  });

  it('that is replaced gets a new session, and its tools new names [MCP-08]', async () => {
    const first = await addUntil(host, hostileServer('good', { name: 'before' }));
    const beside = await addUntil(host, hostileServer('good', { name: 'beside' }));
    const pid = textOf(await callTool(host, first.id, 'pid'));
    const next = await replace(first.id, hostileServer('good', { name: 'after' }));
    expect(next).toMatchObject({ id: first.id, name: 'after', state: 'CONNECTED' });
    expect(textOf(await callTool(host, first.id, 'pid'))).not.toBe(pid);
    await expect.poll(() => isThere(Number(pid))).toBe(false);
    const names = await catalogNames(host);
    expect(names).toContain('mcp__after__echo');
    expect(names.some((name) => name.startsWith('mcp__before__'))).toBe(false);
    expect((await host.client.call(api.mcp.list)).map(({ name }) => name)).toEqual([
      'after',
      'beside',
    ]);
    await expect(
      replace(first.id, hostileServer('good', { name: 'Beside' })),
    ).rejects.toMatchObject(problem(409, 'name_taken'));
    await removeServer(host, beside.id);
  });

  it('that is disabled runs nothing and has no tools until it is enabled', async () => {
    const [{ id } = { id: '' }] = await host.client.call(api.mcp.list);
    const pid = Number(textOf(await callTool(host, id, 'pid')));
    const off = await replace(id, hostileServer('good', { name: 'after', enabled: false }));
    expect(off).toMatchObject({ state: 'DISABLED', enabled: false, tools: [] });
    expect(await isThere(pid)).toBe(false);
    expect(await catalogNames(host)).not.toContain('mcp__after__echo');
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject(problem(409, 'mcp_disabled'));
    await expect(host.client.call(api.mcp.test, { params: { id } })).rejects.toMatchObject(
      problem(409, 'mcp_disabled'),
    );
    expect((await replace(id, hostileServer('good', { name: 'after' }))).state).toBe('CONNECTED');
  });

  it('that is removed loses its process and its tools [MCP-09]', async () => {
    const [{ id } = { id: '' }] = await host.client.call(api.mcp.list);
    const pid = Number(textOf(await callTool(host, id, 'pid')));
    const hanging = callTool(host, id, 'hang').catch((error: unknown) => error);
    await callTool(host, id, 'echo');
    await removeServer(host, id);
    expect(await isThere(pid)).toBe(false);
    expect(await hanging).toMatchObject({ problem: { status: 502 } });
    expect(await host.client.call(api.mcp.list)).toEqual([]);
    expect(await catalogNames(host)).not.toContain('mcp__after__echo');
    for (const again of [removeServer(host, id), callTool(host, id, 'echo')])
      await expect(again).rejects.toMatchObject(problem(404, 'unknown_server'));
  });

  it('is reached by its complete address, and by its origin with a separate path [MCP-14]', async () => {
    const server = await useEverything('STREAMABLE_HTTP');
    const base = server.url.replace('/mcp', '');
    for (const [index, address] of [
      { url: server.url },
      { url: base, endpoint: '/mcp' },
      { url: `${base}/`, endpoint: 'mcp' },
      { url: base },
    ].entries()) {
      const definition = { ...remoteServer(server, { name: `a-${index}` }), ...address };
      const view = await addUntil(host, definition);
      expect(view).toMatchObject(address);
      await removeServer(host, view.id);
    }
  });
});

describe('credentials of a server', () => {
  it('reach it, stay if they are not mentioned, and are removed if they are left out [MCP-02, MCP-03]', async () => {
    const env = { FIRST: secret(), SECOND: secret() };
    const definition = realServer('everything', [], { name: 'env' });
    const { id, envKeys } = await addUntil(host, { ...definition, env });
    expect(envKeys).toEqual(['FIRST', 'SECOND']);
    const seen = await environmentOf(id);
    expect(seen).toMatchObject(env);
    // Variables of the host itself are not passed on.
    expect(process.env).toHaveProperty('VITEST');
    expect(seen).not.toHaveProperty('VITEST');

    expect((await replace(id, definition)).envKeys).toEqual(['FIRST', 'SECOND']);
    expect(await environmentOf(id)).toMatchObject(env);
    const changed = await replace(id, { ...definition, env: { FIRST: null, THIRD: 'three' } });
    expect(changed.envKeys).toEqual(['FIRST', 'THIRD']);
    const after = await environmentOf(id);
    expect(after).toMatchObject({ FIRST: env.FIRST, THIRD: 'three' });
    expect(after).not.toHaveProperty('SECOND');
    expect((await replace(id, { ...definition, env: {} })).envKeys).toEqual([]);
    expect(await environmentOf(id)).not.toHaveProperty('FIRST');
    await removeServer(host, id);
  });

  it('are sent to a remote server with each request, and nowhere else [MCP-02]', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere: (string | undefined)[] = [];
    const other = await serveWeb((req, res) => {
      elsewhere.push(req.headers.authorization);
      res.end();
    });
    const web = await serveWeb((req, res) => {
      seen.push(req.headers.authorization);
      res.writeHead(307, { Location: `${other.base}/mcp` }).end();
    });
    const headers = { Authorization: `Bearer ${secret()}` };
    for (const transport of ['STREAMABLE_HTTP', 'SSE'] as const) {
      const definition = remoteServer(
        { transport, url: `${web.base}/mcp` },
        { name: 'web', headers },
      );
      const { id } = await addServer(host, definition);
      await expect.poll(async () => (await showServer(host, id)).state).toBe('FAILED');
      await removeServer(host, id);
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen)).toEqual(new Set([headers.Authorization]));
    expect(elsewhere).toEqual([]);
    await web.close();
    await other.close();
  });

  it('are not in answers, errors or logs, and encrypted in the database [MCP-03, SECRET-03]', async () => {
    const [key, header] = [secret(), secret()];
    const stdio = await addUntil(
      host,
      hostileServer('good', { name: 'teller', env: { KEY: key } }),
    );
    const url = 'http://127.0.0.1:1/mcp';
    const headers = { Authorization: `Bearer ${header}` };
    const remote = await addServer(
      host,
      remoteServer({ transport: 'STREAMABLE_HTTP', url }, { name: 'nobody', headers }),
    );
    const answers: string[] = [];
    const ask = async (path: string, method = 'GET', body?: object): Promise<void> => {
      const answer = await host.ask(path, {
        method,
        ...(body
          ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
          : {}),
      });
      answers.push(answer.text);
    };
    await ask(`/api/mcp/servers/${stdio.id}/call`, 'POST', { tool: 'tell', arguments: {} });
    expect(answers[0]).toContain('The key ••• is not good.');
    await ask(`/api/mcp/servers/${stdio.id}/call`, 'POST', { tool: 'refuse', arguments: {} });
    expect((JSON.parse(answers[1] ?? '') as { details: string }).details).toContain('"key":"•••"');
    await ask(`/api/mcp/servers/${remote.id}/test`, 'POST');
    for (const { id } of [stdio, remote]) {
      await ask(`/api/mcp/servers/${id}/logs`);
      await ask(`/api/mcp/servers/${id}`, 'PUT', { name: 'x y', env: { KEY: key }, headers });
    }
    for (const path of ['servers', 'status']) await ask(`/api/mcp/${path}`);
    await ask('/api/diagnostics');
    await expect
      .poll(async () => (await host.ask(`/api/mcp/servers/${stdio.id}/logs`)).text)
      .toContain('My key is •••.');
    for (const canary of [key, header])
      for (const text of answers) expect(text).not.toContain(canary);

    const files = await readdir(host.workDirectory, { recursive: true, withFileTypes: true });
    const others = await readdir(logs, { withFileTypes: true });
    for (const file of [...files, ...others].filter((one) => one.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name));
      for (const canary of [key, header]) {
        expect(bytes.includes(canary), file.name).toBe(false);
        expect(bytes.includes(Buffer.from(canary).toString('base64').slice(2, -4)), file.name).toBe(
          false,
        );
      }
    }
    await removeServer(host, remote.id);
  });

  it('and the servers are restored at the next start without any request [MCP-07]', async () => {
    const { id } = (await host.client.call(api.mcp.list))[0]!;
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
    const view = await untilState(host, id, 'CONNECTED');
    expect(view).toMatchObject({ name: 'teller', envKeys: ['KEY'] });
    expect(await catalogNames(host)).toContain('mcp__teller__echo');
    await removeServer(host, id);
  });
});

describe('servers of the file named at launch', () => {
  it('are connected, shown as built-in, and not editable [MCP-15]', async () => {
    const { command, args } = realServer('memory', [], { name: 'm' });
    const file = join(logs, 'servers.json');
    const env = { MEMORY_FILE_PATH: join(logs, 'm.jsonl') };
    await writeFile(file, JSON.stringify({ mcpServers: { notes: { command, args, env } } }));
    const launched = await startTestHost({ properties: { mcpServersFile: file } });
    await expect.poll(async () => (await launched.client.call(api.mcp.list)).length).toBe(1);
    const [{ id } = { id: '' }] = await launched.client.call(api.mcp.list);
    const view = await untilState(launched, id, 'CONNECTED');
    expect(view).toMatchObject({ name: 'notes', builtIn: true, envKeys: ['MEMORY_FILE_PATH'] });
    expect(await catalogNames(launched)).toContain('mcp__notes__read_graph');
    const params = { id };
    const body = hostileServer();
    for (const change of [
      launched.client.call(api.mcp.replace, { params, body }),
      launched.client.call(api.mcp.remove, { params }),
    ])
      await expect(change).rejects.toMatchObject(problem(409, 'built_in'));
    await launched.close();
  });
});

/** True if the process runs. */
const isThere = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
};
