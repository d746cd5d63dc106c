import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api, McpServerName } from '../../../contract/index.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useFolder, useForFile } from '../../../testing/use-for-file.ts';
import type { HostMessage } from '../../../contract/host-message.ts';
import { inChinese } from '../../../testing/in-chinese.ts';

const folder = await useFolder('mcp import ');
const host = await useForFile(startTestHost());
afterEach(async () => {
  for (const { id } of await host.client.call(api.mcp.list))
    await host.client.call(api.mcp.remove, { params: { id } });
});

type Server = Record<string, unknown>;
interface Warning {
  name: string;
  reason: string;
}
interface Preview {
  servers: Server[];
  warnings: Warning[];
}
interface Imported {
  created: Server[];
  warnings: Warning[];
}

async function post(document: unknown, query: string) {
  const body = typeof document === 'string' ? document : JSON.stringify(document);
  const headers = { 'Content-Type': 'application/json' };
  return host.ask(`/api/mcp/import${query}`, { method: 'POST', headers, body });
}

const inEnglish = <T extends { warnings: Warning[] }>(found: T): T => ({
  ...found,
  warnings: found.warnings.map(({ name, reason }) => ({ name, reason })),
});

async function preview(document: unknown): Promise<Preview> {
  const answer = await post(document, '?dryRun=true');
  expect(answer.status, answer.text).toBe(200);
  return inEnglish(answer.json() as Preview);
}

async function take(document: unknown): Promise<Imported> {
  const answer = await post(document, '');
  expect(answer.status, answer.text).toBe(200);
  return inEnglish(answer.json() as Imported);
}

/** The result of importing one server, and the reasons of its warnings. */
async function one(server: unknown): Promise<{ server: Server | undefined; reasons: string[] }> {
  const { servers, warnings } = await preview({ mcpServers: { s: server } });
  expect(servers.length).toBeLessThan(2);
  expect(warnings.every(({ name }) => name === 's')).toBe(true);
  return { server: servers[0], reasons: warnings.map(({ reason }) => reason) };
}

const usual = { enabled: true, callTimeoutSeconds: 60, trustAnnotations: true };
const local = { ...usual, transport: 'STDIO', args: [] };
const fileOf = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '..', '..', '..', 'testing', 'mcp-imports', name), 'utf8');

describe('a document of another program', () => {
  it('in the usual format becomes servers', async () => {
    expect(await preview(await fileOf('wrapped.json'))).toEqual({
      servers: [
        {
          ...local,
          name: 'papers',
          command: 'npx',
          args: ['-y', '@acme/files-mcp', '/srv/My Papers'],
        },
        {
          ...local,
          name: 'tracker',
          command: 'docker',
          args: [
            ...['run', '-i', '--rm', '-e', 'ACME_TRACKER_KEY'],
            'registry.example.com/acme/tracker-mcp',
          ],
          env: { ACME_TRACKER_KEY: null },
        },
        {
          ...local,
          name: 'numbers',
          command: 'uv',
          enabled: false,
          args: ['--directory', '/srv/numbers', 'run', 'numbers-mcp'],
        },
      ],
      warnings: [
        { name: 'numbers', reason: 'was written as one text: uv is used as the program' },
        { name: 'numbers', reason: 'is turned off there and was imported turned off' },
      ],
    });
  });

  it('without a wrapper becomes servers, and reports missing values', async () => {
    const remote = { ...usual, transport: 'STREAMABLE_HTTP' };
    expect(await preview(await fileOf('bare.json'))).toEqual({
      servers: [
        { ...usual, name: 'plans', transport: 'SSE', url: 'https://plans.example.com/sse' },
        {
          ...remote,
          name: 'tracker',
          url: 'https://tracker.example.com/mcp/',
          headers: { Authorization: null },
        },
        {
          ...remote,
          name: 'tasks',
          url: 'https://tasks.example.com/mcp',
          callTimeoutSeconds: 120,
        },
        {
          ...local,
          name: 'plugin-dev-db-main',
          command: 'node',
          cwd: '/srv/db',
          args: ['${CLAUDE_PLUGIN_ROOT}/server.js'],
        },
      ],
      warnings: [
        {
          name: 'tracker',
          reason: 'contains ${ACME_TRACKER_KEY}, which is not replaced: enter its value',
        },
        { name: 'tasks', reason: 'contains ${TASKS_HOST}; the default is used' },
        { name: 'plugin:dev.db/main', reason: 'contains ${NODE}; the default is used' },
        {
          name: 'plugin:dev.db/main',
          reason: 'contains ${CLAUDE_PLUGIN_ROOT}, which is not replaced: enter its value',
        },
        { name: 'plugin:dev.db/main', reason: 'was renamed to plugin-dev-db-main' },
      ],
    });
  });

  it('under mcp_servers becomes servers, and reports what is not imported', async () => {
    expect(await preview(await fileOf('underscored.json'))).toEqual({
      servers: [
        {
          ...usual,
          name: 'docs',
          transport: 'STREAMABLE_HTTP',
          url: 'https://docs.example.com/mcp',
          headers: { 'X-Region': null },
          callTimeoutSeconds: 90,
        },
        {
          ...local,
          name: 'runner',
          command: 'uvx',
          args: ['runner-mcp'],
          enabled: false,
          callTimeoutSeconds: 1,
        },
        {
          ...local,
          name: 'shell',
          command: 'powershell.exe',
          args: ['-NoProfile', '-File', 'C:\\tools\\mcp.ps1'],
        },
      ],
      warnings: [
        {
          name: 'docs',
          reason: 'has bearer_token_env_var, which is not imported: enter the headers',
        },
        { name: 'runner', reason: 'is turned off there and was imported turned off' },
        {
          name: 'runner',
          reason: 'has env_vars, which is not imported: enter the variables in its environment',
        },
      ],
    });
  });

  it('has Chinese warnings, too', async () => {
    const server = { command: 'x', disabled: true, args: ['${A}', '${B}'] };
    const { json } = await post({ mcpServers: { s: server } }, '?dryRun=true');
    const { warnings } = json() as { warnings: { reasonMessage?: HostMessage }[] };
    expect(warnings.map(({ reasonMessage }) => inChinese(reasonMessage))).toEqual([
      '含有 ${A}、${B}，没有被替换：请填写其值',
      '在原程序中已停用，导入后也停用',
    ]);
  });

  it('under another key becomes servers', async () => {
    const { servers, warnings } = await preview(await fileOf('with-inputs.json'));
    expect(servers).toEqual([
      {
        ...local,
        name: 'search',
        command: 'npx',
        args: ['-y', 'search-mcp@latest'],
        env: { API_KEY: null, LIMIT: null, VERBOSE: null },
      },
      {
        ...usual,
        name: 'stream',
        transport: 'STREAMABLE_HTTP',
        url: 'http://127.0.0.1:8931/mcp',
      },
    ]);
    expect(warnings).toEqual([
      { name: 'search', reason: 'contains ${input:key}, which is not replaced: enter its value' },
      {
        name: 'search',
        reason: 'has envFile, which is not imported: enter the variables in its environment',
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['an empty map', { mcpServers: {} }],
    ['another matter', { name: 'my-package', version: '1.0.0', scripts: [] }],
    ['a list under the key', { mcpServers: [{ command: 'x' }] }],
    ['a text under the key', { mcpServers: 'npx' }],
    ['nothing but a prototype', '{"__proto__": {"s": {"command": "x"}}}'],
  ])('that contains %s is refused, with an example', async (_, document) => {
    for (const query of ['', '?dryRun=true']) {
      const answer = await post(document, query);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        code: 'no_servers',
        detail: expect.stringContaining('{"mcpServers": {"name": {"command": "…"}}}') as string,
      });
    }
  });

  it.each<[string, string]>([
    ['a list', '[{"command": "x"}]'],
    ['a text', '"npx -y x"'],
    ['null', 'null'],
    ['broken', '{"mcpServers": {'],
    ['100 000 levels deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('that is %s is refused', async (_, document) => {
    for (const query of ['', '?dryRun=true'])
      expect((await post(document, query)).status).toBe(400);
  });

  it('with 10,000 servers gives the first 100 quickly, and reports the rest in one line', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => [`s${i}`, { command: 'x' }]);
    const { servers, warnings } = await preview({ mcpServers: Object.fromEntries(many) });
    expect(servers).toHaveLength(100);
    expect(warnings).toEqual([
      { name: 's100', reason: 'and 9,899 others exceed the limit of 100 at a time' },
    ]);
  });
});

describe('a server of another program', () => {
  const url = 'https://a.example/mcp';

  it.each<[Server, Server]>([
    [{ command: 'x' }, { transport: 'STDIO', command: 'x' }],
    [
      { type: 'stdio', command: 'x', args: [1, true] },
      { transport: 'STDIO', args: ['1', 'true'] },
    ],
    [
      { type: 'http', url },
      { transport: 'STREAMABLE_HTTP', url },
    ],
    [
      { type: 'streamable-http', url },
      { transport: 'STREAMABLE_HTTP', url },
    ],
    [
      { type: 'streamableHttp', url },
      { transport: 'STREAMABLE_HTTP', url },
    ],
    [
      { transport: 'http', url },
      { transport: 'STREAMABLE_HTTP', url },
    ],
    [{ url }, { transport: 'STREAMABLE_HTTP', url }],
    [
      { type: 'sse', url },
      { transport: 'SSE', url },
    ],
    [
      { type: 'SSE', url, headers: { A: 'b' } },
      { transport: 'SSE', headers: { A: null } },
    ],
    [{ command: 'x', timeout: 30_000 }, { callTimeoutSeconds: 30 }],
    [{ command: 'x', timeout: 45 }, { callTimeoutSeconds: 45 }],
    [{ command: 'x', timeout: 1e9 }, { callTimeoutSeconds: 3_600 }],
    [{ command: 'x', tool_timeout_sec: 120, timeout: 5 }, { callTimeoutSeconds: 120 }],
    [{ command: 'x', timeout: '5' }, { callTimeoutSeconds: 60 }],
    [{ command: 'x', timeout: -1 }, { callTimeoutSeconds: 60 }],
    [
      { command: 'x', args: null, env: null, cwd: null },
      { command: 'x', args: [] },
    ],
    [
      { command: 'x', description: 'd', icon: {}, autoApprove: ['a'], gallery: true },
      { command: 'x' },
    ],
  ])('%j is imported as intended', async (written, expected) => {
    const { server, reasons } = await one(written);
    expect(server).toMatchObject({ name: 's', ...expected });
    expect(reasons).toEqual([]);
  });

  it.each<[unknown, string]>([
    ['npx -y x', 'is not an object'],
    [null, 'is not an object'],
    [['npx'], 'is not an object'],
    [{}, 'does not specify a command'],
    [{ command: 7 }, 'does not specify a command'],
    [{ command: ['npx', 'x'] }, 'does not specify a command'],
    [{ command: ' ' }, 'does not specify a command'],
    [
      { type: 'ws', url: 'wss://a.example' },
      'uses the transport “ws”, which is not supported; use stdio, http (streamable HTTP) or sse',
    ],
    [{ type: 'grpc', command: 'x' }, 'uses the transport “grpc”, which is not supported'],
    [{ type: 'http' }, 'does not specify an http or https address'],
    [{ url: 'file:///etc/passwd' }, 'does not specify an http or https address'],
    [{ type: 'http', url: { a: 1 } }, 'does not specify an http or https address'],
    [{ type: 'http', url: 'http://' }, 'does not specify an http or https address'],
    [{ type: 'http', url: 'http://:80' }, 'must begin with http'],
    [{ url: 'https://me:secret@a.example' }, 'Put them into the headers'],
    [{ url: '${HOST}/mcp' }, 'must begin with http'],
    [{ command: 'x', args: 'y' }, 'arguments that are not a list'],
    [{ command: 'x', args: [['y']] }, 'arguments that are not a list'],
    [{ command: 'x', env: ['A=b'] }, 'variables that are not a map'],
    [{ command: 'x', env: { A: { b: 1 } } }, 'variables that are not a map'],
    [{ command: 'x', env: { 'A=B': 'c' } }, 'cannot be used: env.A=B cannot be empty or contain ='],
    [{ command: 'x\0y' }, 'a character that cannot be passed to a process'],
    [{ command: 'x', args: ['y'.repeat(32_769)] }, 'cannot be used: args.0 '],
    [{ url, headers: { 'Bad Name': 'x' } }, 'headers.Bad Name must be a valid header name'],
    [{ url, headers: { A: 'x\r\nB: y' } }, 'headers that are not a map of texts'],
    [{ url, headers: { A: 'x😀' } }, 'cannot be used: headers.A must be a valid header value'],
  ])('%.80j is left out, with the reason', async (written, reason) => {
    const { server, reasons } = await one(written);
    expect(server).toBeUndefined();
    expect(reasons.at(-1)).toContain(reason);
    expect(reasons.join()).not.toContain('secret');
  });

  it('that is invalid does not affect others', async () => {
    const document = { a: { command: 'x' }, b: { command: 7 }, c: null, d: { command: 'y' } };
    const { servers, warnings } = await preview({ mcpServers: document });
    expect(servers.map(({ name }) => name)).toEqual(['a', 'd']);
    expect(warnings.map(({ name }) => name)).toEqual(['b', 'c']);
  });

  it('may use names that are also built-in object properties', async () => {
    const { servers } = await preview(
      '{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "y", "A": "b"}}, "constructor": {"command": "y"}, "toString": {"__proto__": {"command": "z"}}}}',
    );
    expect(servers).toMatchObject([
      { name: 'proto', command: 'x', env: { A: null } },
      { name: 'constructor', command: 'y' },
    ]);
    expect(({} as Server)['command']).toBeUndefined();
  });
});

describe('variables of other programs', () => {
  it('are replaced by their defaults everywhere, and stay without one', async () => {
    const { server, reasons } = await one({
      command: '${BIN:-node}',
      args: ['--port=${PORT:-80}', '${A}-${A}', '${env:HOME}', '$HOME', '${EMPTY:-}'],
      env: { TOKEN: '${TOKEN:-abc}', '${X}': 'y' },
      cwd: '${DIR:-/srv}',
    });
    expect(server).toMatchObject({
      command: 'node',
      args: ['--port=80', '${A}-${A}', '${env:HOME}', '$HOME', ''],
      env: { TOKEN: null, '${X}': null },
      cwd: '/srv',
    });
    expect(reasons).toEqual([
      'contains ${BIN}, ${PORT}, ${EMPTY}, ${TOKEN}, ${DIR}; the default is used',
      'contains ${A}, ${env:HOME}, which is not replaced: enter its value',
    ]);
  });

  it('are named up to ten at a time', async () => {
    const args = Array.from({ length: 400 }, (_, i) => `\${V${i}}`);
    const { reasons } = await one({ command: 'x', args });
    expect(reasons).toEqual([expect.stringMatching(/\$\{V9\} and 390 others, which is not/)]);
  });
});

describe('a command', () => {
  const program = (name: string): string => join(folder, 'My Tools', name);
  beforeAll(async () => {
    await mkdir(join(folder, 'My Tools'));
    await writeFile(program('a server'), '');
    await writeFile(program('node'), '');
  });

  it.each<[string, string[] | undefined, string, string[]]>([
    ['npx -y x', undefined, 'npx', ['-y', 'x']],
    ['  npx\t-y  x ', ['z'], 'npx', ['-y', 'x', 'z']],
    ['npx -y "a b" \'c d\' --e="f g"', [], 'npx', ['-y', 'a b', 'c d', '--e=f g']],
    [
      'uvx --from git+https://a.example/b c',
      undefined,
      'uvx',
      ['--from', 'git+https://a.example/b', 'c'],
    ],
    ['cmd /c npx -y x', undefined, 'cmd', ['/c', 'npx', '-y', 'x']],
    ['echo it\'s "open', undefined, 'echo', ["it's", '"open']],
    ['node C:\\a\\b.js', undefined, 'node', ['C:\\a\\b.js']],
    [' npx ', ['a b'], 'npx', ['a b']],
    ['"npx"', undefined, 'npx', []],
    ['"/opt/My Tools/x" --y', undefined, '/opt/My Tools/x', ['--y']],
    ['C:\\Program Files\\nodejs\\npx.cmd', ['x'], 'C:\\Program Files\\nodejs\\npx.cmd', ['x']],
    ['/opt/not here/server', ['--a b'], '/opt/not here/server', ['--a b']],
    ['/opt/not here/server --y z', undefined, '/opt/not here/server', ['--y', 'z']],
    ['./bin/run --x', undefined, './bin/run', ['--x']],
  ])('%j with %j becomes a program and its arguments', async (command, args, first, rest) => {
    const { server } = await one({ command, ...(args ? { args } : {}) });
    expect(server).toMatchObject({ command: first, args: rest });
  });

  it('that is a file path with spaces stays one, with or without arguments', async () => {
    const path = program('a server');
    for (const [command, args] of [
      [path, []],
      [`${path} run fast`, ['run', 'fast']],
      [`${program('node')} /srv/x.js`, ['/srv/x.js']],
    ] as const) {
      const { server } = await one({ command });
      expect(server).toMatchObject({
        command: args[0] === '/srv/x.js' ? program('node') : path,
        args,
      });
    }
    const { server } = await one({ command: './a server -v', cwd: join(folder, 'My Tools') });
    expect(server).toMatchObject({ command: './a server', args: ['-v'] });
  });
});

describe('the name of a server', () => {
  it.each([
    ['io.github.me/files', 'io-github-me-files'],
    ['my server', 'my-server'],
    ['a__b', 'a_b'],
    ['_private_', 'private'],
    ['日本', 'server'],
    ['..', 'server'],
    ['x'.repeat(200), 'x'.repeat(32)],
    ['a\u202eb\n', 'a-b'],
  ])('%j becomes %s, which is reported', async (written, name) => {
    const { servers, warnings } = await preview({ [written]: { command: 'x' } });
    expect(servers.map((server) => server['name'])).toEqual([name]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.reason).toBe(`was renamed to ${name}`);
    expect(warnings[0]!.name).not.toMatch(/[\u202e\n]/);
    expect(McpServerName.safeParse(name).success).toBe(true);
  });

  it('shared by several servers is made unique by a number', async () => {
    const long = 'x'.repeat(40);
    const written = ['a.b', 'a b', 'A-B', '日', '本', long, `${long}y`, `${'x'.repeat(29)}_yz`];
    const { servers, warnings } = await preview(
      Object.fromEntries(written.map((name) => [name, { command: 'x' }])),
    );
    const names = servers.map((server) => String(server['name']));
    const cut = 'x'.repeat(30);
    expect(names.slice(0, 7)).toEqual([
      ...['a-b', 'a-b-2', 'A-B-3', 'server', 'server-2'],
      ...['x'.repeat(32), `${cut}-2`],
    ]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(written.length);
    for (const name of names) expect(McpServerName.safeParse(name).success, name).toBe(true);
    expect(warnings).toHaveLength(7);
  });
});

describe('an import', () => {
  const document = {
    mcpServers: {
      off: { command: 'x', env: { KEY: 'hidden-value' }, disabled: true },
      'my dead': { command: '/not/there', headers: {} },
      far: { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 'hidden-value' } },
    },
  };

  it('adds what its preview showed, and neither returns a secret [MCP-03]', async () => {
    const previewed = await preview(document);
    expect(JSON.stringify(previewed)).not.toContain('hidden-value');
    expect(previewed.servers).toMatchObject([
      { name: 'off', env: { KEY: null } },
      { name: 'my-dead' },
      { name: 'far', headers: { 'X-Key': null } },
    ]);
    expect(await host.client.call(api.mcp.list)).toEqual([]);
    const { created, warnings } = await take(document);
    expect(warnings).toEqual(previewed.warnings);
    expect(created).toMatchObject([
      { name: 'off', state: 'DISABLED', envKeys: ['KEY'] },
      { name: 'my-dead', state: 'FAILED', builtIn: false },
      { name: 'far', headerNames: ['X-Key'] },
    ]);
    expect(created.map(({ name }) => name)).toEqual(previewed.servers.map(({ name }) => name));
    const listed = await host.client.call(api.mcp.list);
    expect(listed.map(({ name }) => name)).toEqual(['off', 'my-dead', 'far']);
    expect(JSON.stringify([created, listed])).not.toContain('hidden-value');
  });

  it('repeated later adds nothing and says why', async () => {
    await take(document);
    for (const { servers, created, warnings } of [
      { created: [], ...(await preview(document)) },
      { servers: [], ...(await take(document)) },
    ]) {
      expect([servers, created]).toEqual([[], []]);
      expect(warnings.filter(({ reason }) => reason.includes('already exists'))).toHaveLength(3);
    }
    expect(await host.client.call(api.mcp.list)).toHaveLength(3);
  });

  it('made twice at the same time adds each server once', async () => {
    await Promise.all([take(document), take(document), take(document)]);
    const names = (await host.client.call(api.mcp.list)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['far', 'my-dead', 'off']);
  });
});
