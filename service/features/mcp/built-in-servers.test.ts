import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, type McpServerView } from '../../contract/index.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { useFolder } from '../../testing/use-for-file.ts';

const hosts: TestHost[] = [];
const folder = await useFolder('mcp-file-');
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** A host that has read a file with this content, named by its property. */
async function hostOf(content: unknown, workDirectory?: string): Promise<TestHost> {
  const mcpServersFile = join(folder, 'servers.json');
  await writeFile(mcpServersFile, typeof content === 'string' ? content : JSON.stringify(content));
  const host = await startTestHost({
    properties: { mcpServersFile },
    ...(workDirectory === undefined ? {} : { workDirectory }),
  });
  hosts.push(host);
  return host;
}

const list = (host: TestHost): Promise<McpServerView[]> => host.client.call(api.mcp.list);

function listed(host: TestHost, names: string[]): Promise<McpServerView[]> {
  return vi.waitFor(
    async () => {
      const views = await list(host);
      expect(views.map(({ name }) => name)).toEqual(names);
      return views;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** The log messages about the file. */
const loggedErrors = (host: TestHost): Promise<string> =>
  vi.waitFor(
    () => {
      const logged = host.log.errors.map(({ message }) => message).join('\n');
      expect(logged).toContain('servers.json');
      return logged;
    },
    { timeout: 30_000, interval: 20 },
  );

const missing = { command: '/not/there', args: ['--a b'], env: { KEY: 'hidden-value' } };

describe('the file of MCP servers named at launch', () => {
  it('provides built-in servers without showing their values', async () => {
    const host = await hostOf({ mcpServers: { one: missing, two: { command: '/not/there' } } });
    const views = await listed(host, ['one', 'two']);
    expect(views).toMatchObject([
      {
        name: 'one',
        transport: 'STDIO',
        command: '/not/there',
        args: ['--a b'],
        envKeys: ['KEY'],
        builtIn: true,
        enabled: true,
      },
      { name: 'two', builtIn: true },
    ]);
    expect(JSON.stringify(views)).not.toContain('hidden-value');
  });

  it.each<[string, unknown, string[]]>([
    ['under another key', { servers: { a: missing } }, ['a']],
    ['in the first of two maps', { x: { a: missing }, mcpServers: { b: missing } }, ['a']],
    ['behind what is no map', { $schema: 's', version: 1, list: [], m: { a: missing } }, ['a']],
    ['without a wrapper', { a: missing, b: missing }, ['a', 'b']],
    ['behind a byte order mark', `\ufeff${JSON.stringify({ mcpServers: { a: missing } })}`, ['a']],
    [
      'under names of another kind',
      { mcpServers: { 'a b': missing, a__b: missing } },
      ['a-b', 'a_b'],
    ],
    ['under names of objects', '{"m": {"__proto__": {"command": "/x"}}}', ['proto']],
  ])('may contain them %s', async (_, content, names) => {
    await listed(await hostOf(content), names);
  });

  it('uses only command, arguments and environment', async () => {
    const more = {
      disabled: true,
      type: 'http',
      url: 'http://127.0.0.1:9/',
      cwd: '/x',
      timeout: 5,
    };
    const host = await hostOf({ mcpServers: { a: { ...missing, ...more } } });
    const [view] = await listed(host, ['a']);
    expect(view).toMatchObject({ transport: 'STDIO', enabled: true, callTimeoutSeconds: 60 });
    expect(view).not.toHaveProperty('url');
    expect(view).not.toHaveProperty('cwd');
  });

  it('may contain invalid servers, which the log names, and does not lose the others', async () => {
    const bad = { url: 'http://127.0.0.1:9/mcp' };
    const host = await hostOf({ mcpServers: { bad, worse: null, text: 'npx', good: missing } });
    await listed(host, ['good']);
    const logged = await loggedErrors(host);
    for (const name of ['bad', 'worse', 'text']) expect(logged).toContain(`servers.json: ${name} `);
  });

  it.each<[string, string, string]>([
    ['is not JSON', '{"mcpServers": {"a": {"env": {"KEY": "hidden-value"', 'not valid JSON'],
    ['is a list', '[]', 'no MCP servers'],
    ['is null', 'null', 'no MCP servers'],
    ['is empty', '', 'not valid JSON'],
    ['holds no map', '{"a": 1, "b": ["c"]}', 'no MCP servers'],
    ['is 100 000 levels deep', '{"a":'.repeat(100_000), 'nested too deeply'],
    ['is larger than 8 MiB', `{"a": "${'x'.repeat(9 * 1024 ** 2)}"}`, 'larger than 8 MiB'],
  ])('that %s does not prevent the start, and is logged', async (_, content, reason) => {
    const host = await hostOf(content);
    const logged = await loggedErrors(host);
    expect(logged).toContain(reason);
    expect(logged).not.toContain('hidden-value');
    expect(await list(host)).toEqual([]);
  });

  it('that does not exist, or is a folder, does not prevent the start', async () => {
    for (const mcpServersFile of [join(folder, 'none', 'servers.json'), folder]) {
      const host = await startTestHost({ properties: { mcpServersFile } });
      hosts.push(host);
      await vi.waitFor(() => expect(host.log.errors).toHaveLength(1), { timeout: 30_000 });
      expect(await list(host)).toEqual([]);
    }
  });

  it('is the only place to change its servers: the API refuses', async () => {
    const host = await hostOf({ mcpServers: { a: missing } });
    const [{ id }] = (await listed(host, ['a'])) as [McpServerView];
    const body = JSON.stringify({ name: 'a', transport: 'STDIO', command: 'x' });
    const headers = { 'Content-Type': 'application/json' };
    const path = `/api/mcp/servers/${encodeURIComponent(id)}`;
    for (const request of [{ method: 'PUT', headers, body }, { method: 'DELETE' }]) {
      const answer = await host.ask(path, request);
      expect(answer.status).toBe(409);
      expect(answer.json()).toMatchObject({ code: 'built_in' });
    }
    const again = await host.ask('/api/mcp/servers', { method: 'POST', headers, body });
    expect(again.json()).toMatchObject({ code: 'name_taken' });
    const imported = await host.client.call(api.mcp.import, {
      body: { mcpServers: { A: missing } },
      query: {},
    });
    expect(imported).toMatchObject({ created: [], warnings: [{ name: 'A' }] });
    await listed(host, ['a']);
  });

  it('does not take a name from a server of the user', async () => {
    const first = await hostOf({ mcpServers: {} });
    const { workDirectory } = first;
    await first.client.call(api.mcp.create, {
      body: { name: 'Files', transport: 'STDIO', command: '/not/there', enabled: false },
    });
    await first.stop();
    hosts.splice(0);
    const second = await hostOf({ mcpServers: { files: missing, other: missing } }, workDirectory);
    const views = await listed(second, ['files-2', 'other', 'Files']);
    expect(views.map(({ builtIn }) => builtIn)).toEqual([true, true, false]);
  });
});
