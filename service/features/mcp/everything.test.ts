import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type McpDefinition, type McpServerView } from '../../contract/index.ts';
import { addUntil, callTool, catalogNames, textOf } from '../../testing/mcp/mcp-host.ts';
import {
  type HttpServer,
  realServer,
  remoteServer,
  sdkClient,
  startEverything,
} from '../../testing/mcp/real-servers.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
let folder: string;
const remotes: HttpServer[] = [];
beforeAll(async () => {
  host = await startTestHost();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-files-')));
});
afterAll(async () => {
  await host.close();
  for (const remote of remotes) await remote.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Every tool of server-everything that answers at once, with its arguments. */
const calls: [tool: string, given: Record<string, unknown>][] = [
  ['echo', { message: 'hi' }],
  ['echo', { message: 'ü ⚙️ \u2028 "quoted"\n'.repeat(100) }],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-env', {}],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-sum', { a: 2, b: 40 }],
  ['get-tiny-image', {}],
  [
    'gzip-file-as-resource',
    { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' },
  ],
  ['toggle-simulated-logging', {}],
  ['toggle-subscriber-updates', {}],
  ['trigger-elicitation-request', {}],
  ['trigger-long-running-operation', { duration: 0.2, steps: 2 }],
  // Unsupported requests: each result says so.
  ['echo', {}],
  ['get-sum', { a: 'two', b: 40 }],
  ['no-such-tool', {}],
  ['simulate-research-query', { topic: 'x' }],
  ['gzip-file-as-resource', { name: 'x.gz', data: 'ftp://x/y', outputType: 'resource' }],
];

/** Removes values that differ between sessions or seconds. */
function settled(value: unknown): unknown {
  // Base64 data contains the time of day, too.
  const decoded = (key: string, one: unknown): unknown =>
    key === 'blob' ? Buffer.from(String(one), 'base64').toString('latin1') : one;
  const text = JSON.stringify(value, decoded)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{1,2}:\d{2}:\d{2} [AP]M/g, '<time>');
  return JSON.parse(text);
}

/** Two processes have different environments. */
const withoutEnvironment = (tool: string, value: unknown): unknown =>
  tool === 'get-env' ? null : value;

type Outcome = { result: unknown } | { error: string };
const outcome = (call: Promise<unknown>, wording: (error: unknown) => string): Promise<Outcome> =>
  call.then(
    (result) => ({ result: settled(result) }),
    (error: unknown) => ({ error: wording(error) }),
  );

describe.each(['STDIO', 'SSE', 'STREAMABLE_HTTP'] as const)(
  'server-everything over %s',
  (transport) => {
    let view: McpServerView;
    let sdk: Client;
    const call = (tool: string, args?: Record<string, unknown>) =>
      callTool(host, view.id, tool, args);

    const definitionOf = async (name: string): Promise<McpDefinition> => {
      if (transport === 'STDIO') return realServer('everything', [], { name });
      const remote = await startEverything(transport);
      remotes.push(remote);
      return remoteServer(remote, { name });
    };

    beforeAll(async () => {
      const name = `every-${transport.toLowerCase().replace('_', '-')}`;
      view = await addUntil(host, await definitionOf(name));
      sdk = await sdkClient(await definitionOf(name));
    });
    afterAll(() => sdk.close());

    it('is connected with all its tools [MCP-01, MCP-05, MCP-06, MCP-07]', async () => {
      const { tools } = await sdk.listTools();
      expect(view).toMatchObject({
        state: 'CONNECTED',
        transport,
        builtIn: false,
        serverInfo: { name: 'mcp-servers/everything' },
        protocolVersion: '2025-11-25',
        tools: tools.map(({ name, description }) => ({ name, description })),
      });
      expect(view.error).toBeUndefined();
      const status = await host.client.call(api.mcp.status);
      expect(status.connections).toContainEqual({
        id: view.id,
        name: view.name,
        state: 'CONNECTED',
        tools: tools.length,
      });
      expect((await host.client.call(api.host.health)).status).toBe('ok');
    });

    it('answers each of its tools as it answers the SDK [MCP-11]', async () => {
      const { tools } = await sdk.listTools();
      const called = new Set(calls.map(([tool]) => tool));
      expect(tools.filter(({ name }) => !called.has(name))).toEqual([]);
      for (const [tool, args] of calls) {
        const ours = await outcome(call(tool, args), String);
        const theirs = await outcome(sdk.callTool({ name: tool, arguments: args }), String);
        expect([tool, withoutEnvironment(tool, ours)]).toEqual([
          tool,
          withoutEnvironment(tool, theirs),
        ]);
      }
      expect(textOf(await call('get-sum', { a: 2, b: 40 }))).toBe('The sum of 2 and 40 is 42.');
      expect(await call('no-such-tool')).toMatchObject({ isError: true });
    });

    it('lists the arguments of each of its tools', async () => {
      const { tools } = await sdk.listTools();
      const ours = await host.client.call(api.mcp.tools, { params: { id: view.id } });
      expect(ours).toMatchObject(
        tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      );
      expect(ours.map(({ effect }) => effect)).toEqual(view.tools.map(({ effect }) => effect));
      const none = host.client.call(api.mcp.tools, { params: { id: 'none' } });
      await expect(none).rejects.toMatchObject({ problem: { code: 'unknown_server' } });
    });

    it('lists and fills in its prompts [MCP-12]', async () => {
      const params = { id: view.id };
      const prompts = await host.client.call(api.mcp.prompts, { params });
      expect(prompts).toEqual((await sdk.listPrompts()).prompts);
      expect(prompts.length).toBeGreaterThan(2);
      const asked: { name: string; arguments: Record<string, string> }[] = [
        { name: 'simple-prompt', arguments: {} },
        { name: 'args-prompt', arguments: { city: 'Bern', state: 'BE' } },
        { name: 'resource-prompt', arguments: { resourceType: 'Text', resourceId: '1' } },
      ];
      for (const body of asked) {
        const got = await host.client.call(api.mcp.getPrompt, { params, body });
        expect(settled(got)).toEqual(settled(await sdk.getPrompt(body)));
      }
      await expect(
        host.client.call(api.mcp.getPrompt, {
          params,
          body: { name: 'args-prompt', arguments: {} },
        }),
      ).rejects.toMatchObject({ problem: { status: 502, code: 'mcp_failed', rpcCode: -32602 } });
    });

    it('lists and reads its resources [MCP-13]', async () => {
      const params = { id: view.id };
      const resources = await host.client.call(api.mcp.resources, { params });
      // A tool above added one in each session.
      expect(settled(resources)).toEqual(settled((await sdk.listResources()).resources));
      expect(resources.length).toBeGreaterThan(5);
      for (const uri of [
        ...resources.map((one) => String(one['uri'])),
        'demo://resource/dynamic/blob/7',
      ]) {
        const body = { uri };
        const got = await host.client.call(api.mcp.readResource, { params, body });
        expect(settled(got)).toEqual(settled(await sdk.readResource(body)));
      }
      await expect(
        host.client.call(api.mcp.readResource, { params, body: { uri: 'demo://nothing' } }),
      ).rejects.toMatchObject({ problem: { status: 502, code: 'mcp_failed', rpcCode: -32602 } });
    });

    it('is tested by a new connection [MCP-10]', async () => {
      const tested = await host.client.call(api.mcp.test, { params: { id: view.id } });
      expect(tested).toMatchObject({ state: 'CONNECTED', tools: view.tools });
      expect(tested.lastConnectedAt).not.toBe(view.lastConnectedAt);
      expect(textOf(await call('echo', { message: 'anew' }))).toBe('Echo: anew');
    });

    it('has its tools in the catalog of the models [MCP-04, TOOL-21]', async () => {
      const { tools } = await sdk.listTools();
      const listed = await host.client.call(api.tools.list);
      for (const tool of tools)
        expect(listed).toContainEqual({
          name: `mcp__${view.name}__${tool.name}`,
          description: tool.description,
          inputSchema: tool.inputSchema,
        });
    });
  },
);

describe('other real servers', () => {
  it('read and write files [MCP-11]', async () => {
    await writeFile(join(folder, 'a.txt'), 'one\ntwo\n');
    const definition = realServer('filesystem', [folder], { name: 'files' });
    const view = await addUntil(host, definition);
    const sdk = await sdkClient(definition);
    expect(view.tools.map(({ name }) => name)).toEqual(
      (await sdk.listTools()).tools.map(({ name }) => name),
    );
    for (const [tool, args] of [
      ['read_text_file', { path: join(folder, 'a.txt') }],
      ['list_directory', { path: folder }],
      ['read_multiple_files', { paths: [join(folder, 'a.txt'), join(folder, 'none')] }],
      ['search_files', { path: folder, pattern: '*.txt' }],
      ['read_text_file', { path: '/etc/passwd' }],
      ['list_allowed_directories', {}],
    ] as const) {
      const ours = await callTool(host, view.id, tool, args);
      expect([tool, ours]).toEqual([tool, await sdk.callTool({ name: tool, arguments: args })]);
    }
    await callTool(host, view.id, 'write_file', { path: join(folder, 'b.txt'), content: 'new' });
    const read = { name: 'read_text_file', arguments: { path: join(folder, 'b.txt') } };
    expect(await sdk.callTool(read)).toMatchObject({ content: [{ text: 'new' }] });
    await sdk.close();
  });

  it('remember facts in the file that their environment names [MCP-02]', async () => {
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const view = await addUntil(host, realServer('memory', [], { name: 'memory', env }));
    const entities = [{ name: 'Bern', entityType: 'city', observations: ['has bears'] }];
    await callTool(host, view.id, 'create_entities', { entities });
    expect(await callTool(host, view.id, 'read_graph')).toMatchObject({
      structuredContent: { entities, relations: [] },
    });
    expect(await catalogNames(host)).toContain('mcp__memory__read_graph');
  });
});
