import { describe, expect, test } from 'vitest';
import { type InEnglish, inEnglish } from '../../../testing/in-english.ts';
import { pluginFolder } from '../../../testing/plugin-folder.ts';
import type { DeclaredParts, PluginContents } from './plugin-contents.ts';
import { readContents } from './read-contents.ts';

async function read(
  files: Record<string, unknown>,
  declared: DeclaredParts = {},
): Promise<InEnglish<Pick<PluginContents, 'mcpServers' | 'warnings'>>> {
  const directory = await pluginFolder(files);
  const { mcpServers, warnings } = await readContents(directory, declared, { onlyDeclared: false });
  return inEnglish({ mcpServers, warnings });
}

const echo = { command: 'node', args: ['server.js'] };
const echoServer = { name: 'echo', transport: 'STDIO', ...echo };

describe('the server file', () => {
  test.each<[string, string, unknown]>([
    ['under mcpServers', '.mcp.json', { mcpServers: { echo } }],
    ['under mcp_servers', '.mcp.json', { mcp_servers: { echo } }],
    ['bare', '.mcp.json', { $schema: 'https://example.com/s.json', echo }],
    ['without the dot', 'mcp.json', { mcpServers: { echo: { ...echo, type: 'stdio' } } }],
    ['with a byte order mark', '.mcp.json', `\ufeff${JSON.stringify({ echo })}`],
  ])('may contain them %s', async (_, path, content) => {
    expect(await read({ [path]: content })).toEqual({ mcpServers: [echoServer], warnings: [] });
  });

  test.each<[string, unknown, string]>([
    ['broken', '{"mcpServers": {', 'is not valid JSON'],
    ['a list', [echo], 'is not a JSON object'],
  ])('that is %s gives a warning', async (_, content, reason) => {
    expect(await read({ '.mcp.json': content })).toEqual({
      mcpServers: [],
      warnings: [{ part: '.mcp.json', reason }],
    });
  });
});

describe('the servers in a manifest', () => {
  const other = { other: { url: 'https://example.com/mcp' } };
  const otherServer = {
    name: 'other',
    transport: 'STREAMABLE_HTTP',
    url: 'https://example.com/mcp',
  };

  test.each<[string, unknown]>([
    ['a path', './config/servers.json'],
    ['a path from the root variable', '${CLAUDE_PLUGIN_ROOT}/config/servers.json'],
    ['a list of paths', ['./config/servers.json', 'config/servers.json']],
    ['a map', other],
    ['a map in its wrapper', { mcpServers: other }],
    ['a list of paths and maps', ['./config/servers.json', { mcpServers: other }]],
  ])('may be %s, and are added to those in the file', async (_, mcpServers) => {
    const files = { '.mcp.json': { echo }, 'config/servers.json': { mcpServers: other } };
    expect(await read(files, { mcpServers })).toEqual({
      mcpServers: [echoServer, otherServer],
      warnings: [],
    });
  });

  test('naming the default file again changes nothing', async () => {
    const found = await read({ '.mcp.json': { echo } }, { mcpServers: './.mcp.json' });
    expect(found).toEqual({ mcpServers: [echoServer], warnings: [] });
  });

  test.each<[string, unknown, string, string]>([
    [
      'a path out of the plugin',
      '../servers.json',
      'mcpServers',
      'is not a path inside the plugin',
    ],
    ['a file that does not exist', './none.json', 'none.json', 'does not exist'],
    ['a number', 7, 'mcpServers', 'is neither a path nor an object'],
    [
      'a packed server',
      ['./server.mcpb', { echo }],
      'mcpServers',
      'refers to a packaged MCP server, which is not supported',
    ],
  ])('give a warning if they are %s', async (_, mcpServers, part, reason) => {
    const { warnings } = await read({}, { mcpServers });
    expect(warnings).toEqual([{ part, reason }]);
  });
});

const notOver = (type: string): string =>
  `uses the transport “${type}”, which is not supported; use stdio, http (streamable HTTP) or sse`;

describe('a server definition', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ type: 'http', url: 'https://a.example' }, { transport: 'STREAMABLE_HTTP' }],
    [{ type: 'streamable-http', url: 'https://a.example' }, { transport: 'STREAMABLE_HTTP' }],
    [{ type: 'streamableHttp', url: 'https://a.example' }, { transport: 'STREAMABLE_HTTP' }],
    [{ url: 'https://a.example' }, { transport: 'STREAMABLE_HTTP' }],
    [{ type: 'sse', url: 'https://a.example' }, { transport: 'SSE' }],
    [{ type: 'remote', url: 'https://a.example' }, { transport: 'STREAMABLE_HTTP' }],
    [{ type: 'local', command: 'x' }, { transport: 'STDIO' }],
    [{ httpUrl: 'https://a.example' }, { transport: 'STREAMABLE_HTTP', url: 'https://a.example' }],
    [
      { serverUrl: 'https://a.example' },
      { transport: 'STREAMABLE_HTTP', url: 'https://a.example' },
    ],
    [
      { url: '${HOST:-https://a.example}/mcp', headers: { 'X-Key': '${KEY}', Count: 3 } },
      { transport: 'STREAMABLE_HTTP', headers: { 'X-Key': '${KEY}', Count: '3' } },
    ],
    [
      { command: 'npx', args: ['-y', 7], env: { A: 1, B: 'x' }, cwd: '.', env_vars: ['C'] },
      { transport: 'STDIO', args: ['-y', '7'], env: { A: '1', B: 'x' }, cwd: '.' },
    ],
    [
      { command: 'x', tool_timeout_sec: 90 },
      { transport: 'STDIO', timeoutSeconds: 90 },
    ],
    [
      { command: 'x', timeout: 30_000 },
      { transport: 'STDIO', timeoutSeconds: 30 },
    ],
    [
      { command: 'x', timeout: 60 },
      { transport: 'STDIO', timeoutSeconds: 60 },
    ],
    [
      { command: 'x', tool_timeout_sec: 1e12 },
      { transport: 'STDIO', timeoutSeconds: 3_600 },
    ],
    [
      { command: 'x', timeout: 0.2 },
      { transport: 'STDIO', timeoutSeconds: 1 },
    ],
    [{ command: 'x', timeout: '5', args: null }, { transport: 'STDIO' }],
  ])('%j is understood', async (written, expected) => {
    const { mcpServers, warnings } = await read({ '.mcp.json': { mcpServers: { s: written } } });
    const { url, command } = written;
    const declared = { ...(url ? { url } : {}), ...(command ? { command } : {}) };
    expect(mcpServers).toEqual([{ name: 's', ...declared, ...expected }]);
    expect(warnings).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['s', 'node server.js', 'is not an object'],
    ['s', {}, 'does not specify a command'],
    ['s', { type: 'ws', url: 'wss://a.example' }, notOver('ws')],
    ['s', { type: 'ws', command: 'x' }, notOver('ws')],
    ['s', { transport: 'gr\u202epc', url: 'https://a.example' }, notOver('gr\ufffdpc')],
    ['s', { url: 'wss://a.example' }, notOver('wss')],
    ['s', { type: 'http' }, 'does not specify an http or https address'],
    ['s', { url: 'file:///etc/passwd' }, 'does not specify an http or https address'],
    ['s', { url: 'https://a.example/\n' }, 'does not specify an http or https address'],
    ['s', { command: 'x', args: 'y' }, 'has arguments that are not a list of texts'],
    ['s', { command: 'x', args: [{}] }, 'has arguments that are not a list of texts'],
    ['s', { command: 'x', env: ['A'] }, 'has variables that are not a map of texts'],
    ['s', { command: 'x\0' }, 'has a character that cannot be passed to a process'],
    [
      's',
      { url: 'https://a.example', headers: { A: 'x\ny' } },
      'has headers that are not a map of texts',
    ],
    ['s', { command: 'x', disabled: true }, 'is disabled by its author'],
    ['../s', { command: 'x' }, 'has a name that cannot be used'],
    ['..', { command: 'x' }, 'has a name that cannot be used'],
    [' ', { command: 'x' }, 'has a name that cannot be used'],
  ])('%j: %j gives a warning', async (name, written, reason) => {
    const found = await read({ '.mcp.json': { mcpServers: { [name]: written, echo } } });
    expect(found).toEqual({
      mcpServers: [echoServer],
      warnings: [{ part: `.mcp.json: ${name}`, reason }],
    });
  });

  test.each<[Record<string, unknown>, Record<string, unknown> | undefined]>([
    [
      { oauth: { clientId: 'a', callbackPort: 3118 } },
      { clientId: 'a', redirectUri: 'http://localhost:3118/callback' },
    ],
    [
      { oauth: { clientId: 'a', clientSecret: 'b', scope: 'one  two', redirectUri: 'x:y' } },
      { clientId: 'a', clientSecret: 'b', scopes: ['one', 'two'], redirectUri: 'x:y' },
    ],
    [
      { auth: { CLIENT_ID: 'a', CLIENT_SECRET: 'b', scopes: ['one', 7] } },
      { clientId: 'a', clientSecret: 'b', scopes: ['one'] },
    ],
    [
      { oauth: { clientMetadataUrl: 'https://a.example/c.json' } },
      { clientMetadataUrl: 'https://a.example/c.json' },
    ],
    [{ oauth: false }, undefined],
    [{ oauth: { enabled: true, scopes: ['one'] }, auth: 'oauth' }, undefined],
    [{ oauth: { clientId: 7, client_id: '' } }, undefined],
  ])('with %j has the intended OAuth client', async (written, oauth) => {
    const server = { url: 'https://a.example', ...written };
    const { mcpServers, warnings } = await read({ '.mcp.json': { s: server } });
    expect(mcpServers[0]?.oauth).toEqual(oauth);
    expect(warnings).toEqual([]);
  });

  test('may have a name that is also a built-in object property', async () => {
    const { mcpServers } = await read({
      '.mcp.json': '{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "y"}}}}',
    });
    expect(mcpServers.map(({ name }) => name)).toEqual(['__proto__']);
    expect(Object.entries(mcpServers[0]?.env ?? {})).toEqual([['__proto__', 'y']]);
  });
});

test('the first of two servers with the same name is kept', async () => {
  const files = {
    '.mcp.json': { b: { command: 'first' }, a: echo },
    'mcp.json': { mcpServers: { b: { command: 'second' }, a: echo } },
  };
  const { mcpServers, warnings } = await read(files);
  expect(mcpServers.map(({ name, command }) => [name, command])).toEqual([
    ['a', 'node'],
    ['b', 'first'],
  ]);
  expect(warnings).toEqual([{ part: 'mcp.json: b', reason: 'has the same name as another: b' }]);
});

test('a plugin has at most 100 servers', async () => {
  const servers = Array.from({ length: 120 }, (_, i) => [`s${i}`, { command: `c${i}` }]);
  const { mcpServers, warnings } = await read({ '.mcp.json': Object.fromEntries(servers) });
  expect(mcpServers).toHaveLength(100);
  expect(warnings).toEqual([
    { part: 'mcpServers', reason: 'are more than 100; the others are left out' },
  ]);
});
