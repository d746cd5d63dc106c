import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { api, type ImportSource } from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startTestHost());
const { client } = host;
const key = 'sk-imported-0123456789';

type Query = { dryRun?: 'true'; keys?: 'true' };

const run = (program: ImportSource, content: string | Buffer, query: Query = {}) =>
  client.call(api.imports.run, {
    params: { program },
    query,
    fields: {},
    file: new Blob([content]),
  });

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => (error as { problem: { code: string } }).problem.code,
  );

const servers = () => client.call(api.mcp.list);
const providers = () => client.call(api.providers.list);
const prompts = () => client.call(api.prompts.list);

afterEach(async () => {
  for (const { id } of await servers()) await client.call(api.mcp.remove, { params: { id } });
  for (const { id } of await providers())
    await client.call(api.providers.remove, { params: { id } });
  for (const { id } of await prompts()) await client.call(api.prompts.remove, { params: { id } });
});

const claudeDesktop = JSON.stringify({
  mcpServers: {
    files: {
      command: '/absent/files',
      args: ['/home', '--api-key', key],
      env: { API_KEY: key, MODE: 'fast' },
    },
  },
});

/** A backup as Cherry Studio writes it: JSON in JSON in JSON. */
const cherryStudio = JSON.stringify({
  time: 1,
  version: 5,
  localStorage: {
    'persist:cherry-studio': JSON.stringify({
      llm: JSON.stringify({
        providers: [
          {
            id: 'deepseek',
            name: 'DeepSeek',
            type: 'openai',
            apiKey: `${key}, second`,
            apiHost: 'https://api.deepseek.com',
            models: [{ id: 'deepseek-chat' }, { id: 'deepseek-chat' }],
            enabled: true,
          },
          { id: 'zhipu', name: 'Zhipu', type: 'openai', apiKey: key, apiHost: 'https://z.ai/v4/' },
          {
            id: 'claude',
            name: 'Claude',
            type: 'anthropic',
            apiHost: 'https://a.ai/',
            enabled: true,
          },
          { id: 'google', name: 'Gemini', type: 'gemini', apiHost: 'https://g.ai', enabled: true },
          { id: 'unused', name: 'Unused', type: 'openai', apiKey: '', apiHost: 'https://u.ai' },
        ],
      }),
      mcp: JSON.stringify({
        servers: [
          { id: '1', name: 'remote', type: 'streamableHttp', baseUrl: 'http://127.0.0.1:9/mcp' },
          { id: '2', name: '@cherry/memory', type: 'inMemory' },
          { id: '3', name: 'off', command: '/absent/off', args: [], isActive: false },
        ],
      }),
      assistants: JSON.stringify({
        assistants: [
          { name: 'Default', prompt: '' },
          {
            name: 'Code Reviewer',
            prompt: 'Review it.',
            regularPhrases: [{ title: 'Short', content: 'In ${count} words.' }],
          },
        ],
      }),
      _persist: '{"version":-1}',
    }),
  },
  indexedDB: { quick_phrases: [{ title: '总结', content: '总结一下' }] },
});

describe('an import', () => {
  it('with dryRun shows what would be imported, and stores nothing', async () => {
    const result = await run('claude-desktop', claudeDesktop, { dryRun: 'true', keys: 'true' });
    expect(result).toEqual({
      servers: [{ name: 'files', transport: 'STDIO', target: '/absent/files /home' }],
      providers: [],
      prompts: [],
      warnings: [],
    });
    expect(await servers()).toEqual([]);
  });

  it('leaves keys out and names them, unless they are requested', async () => {
    const { warnings } = await run('claude-desktop', claudeDesktop);
    expect(warnings).toMatchObject([
      { name: 'files', reasonMessage: { code: 'import.keysRemoved' } },
    ]);
    expect(warnings[0]?.reason).toContain('API_KEY, --api-key');
    const [server] = await servers();
    expect(server).toMatchObject({ args: ['/home'] });
    expect(server?.envKeys).toEqual(['MODE']);
  });

  it('with keys imports them, and does not return them', async () => {
    const result = await run('claude-desktop', claudeDesktop, { keys: 'true' });
    expect(JSON.stringify(result)).not.toContain(key);
    const [server] = await servers();
    expect(server?.envKeys.toSorted()).toEqual(['API_KEY', 'MODE']);
    expect(server?.args).toEqual(['/home', '--api-key', key]);
  });

  it('of existing data changes nothing', async () => {
    await run('claude-desktop', claudeDesktop);
    const before = await servers();
    const result = await run('claude-desktop', claudeDesktop, { keys: 'true' });
    expect(result.servers).toEqual([]);
    expect(result.warnings.map(({ name }) => name)).toEqual(['files']);
    expect((await servers()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('of Claude Code imports servers of the user and of projects, and its model server', async () => {
    const document = {
      mcpServers: { mine: { type: 'http', url: 'http://127.0.0.1:9/mcp' } },
      projects: { '/src/app': { mcpServers: { theirs: { command: '/absent/theirs' } } } },
      env: { ANTHROPIC_BASE_URL: 'https://proxy.example.com', ANTHROPIC_AUTH_TOKEN: key },
    };
    const result = await run('claude-code', JSON.stringify(document), { keys: 'true' });
    expect(result.servers.map(({ name }) => name).toSorted()).toEqual(['mine', 'theirs']);
    const baseUrl = 'https://proxy.example.com';
    expect(await providers()).toMatchObject([
      { name: 'Claude Code', protocol: 'anthropic', baseUrl, apiKey: 'sk-i***6789' },
    ]);
  });

  it('of VS Code accepts comments and trailing commas, also in its settings', async () => {
    const file = `{
      // Servers of this workspace
      "servers": { "docs": { "type": "http", "url": "https://docs.example.com/mcp" }, },
    }`;
    const query = { dryRun: 'true' } as const;
    const first = await run('vscode', file, query);
    expect(first.servers).toMatchObject([
      { name: 'docs', transport: 'STREAMABLE_HTTP', target: 'https://docs.example.com/mcp' },
    ]);
    const settings = { mcp: { servers: { old: { command: '/absent/old' } } }, 'editor.tabSize': 2 };
    const second = await run('vscode', JSON.stringify(settings), query);
    expect(second.servers.map(({ name }) => name)).toEqual(['old']);
  });

  it.each(['a backup', 'its data.json'])('of Cherry Studio imports %s', async (kind) => {
    const files = { 'data.json': cherryStudio, 'Data/Files/a.txt': 'x' };
    const content = kind === 'a backup' ? await packPlugin({ files }) : cherryStudio;
    const result = await run('cherry-studio', content);
    expect(await providers()).toMatchObject([
      {
        name: 'DeepSeek',
        baseUrl: 'https://api.deepseek.com/v1',
        models: ['deepseek-chat'],
        apiKey: '',
      },
      { name: 'Zhipu', baseUrl: 'https://z.ai/v4' },
      { name: 'Claude', protocol: 'anthropic', baseUrl: 'https://a.ai' },
    ]);
    expect(result.warnings).toMatchObject([
      { name: 'Gemini', reasonMessage: { code: 'import.protocolUnknown' } },
      { name: 'off', reasonMessage: { code: 'mcp.importDisabled' } },
    ]);
    const found = (await servers()).map(({ name, enabled }) => [name, enabled]);
    expect(found.toSorted()).toEqual([
      ['off', false],
      ['remote', true],
    ]);
    expect(await prompts()).toMatchObject([
      { name: 'code-reviewer', text: 'Review it.', description: 'Code Reviewer' },
      { name: 'short', text: 'In {{count}} words.' },
      { name: '总结', text: '总结一下' },
    ]);
  });

  it('of a provider with its key stores it encrypted and returns it masked', async () => {
    const result = await run('cherry-studio', cherryStudio, { keys: 'true' });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(result.providers.map(({ hasKey }) => hasKey)).toEqual([true, true, false]);
    expect((await providers()).map(({ apiKey }) => apiKey)).toEqual([
      'sk-i***6789',
      'sk-i***6789',
      '',
    ]);
  });
});

const post = (path: unknown, program = 'claude-desktop') =>
  host.ask(`/api/import/${program}?dryRun=true`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ path }),
  });

describe('a configuration', () => {
  it('may be named by its path', async () => {
    const path = join(host.workDirectory, 'claude_desktop_config.json');
    await writeFile(path, claudeDesktop);
    const answer = await post(path);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ servers: [{ name: 'files' }] });
  });

  it.each([
    ['absent', '/absent/config.json'],
    ['relative', 'config.json'],
    ['a folder', '/'],
    ['not named', undefined],
  ])('that is %s is unknown', async (_, path) => {
    const answer = await post(path);
    expect([answer.status, answer.json()]).toMatchObject([404, { code: 'unknown_file' }]);
  });

  it('of an unknown program is not found', async () => {
    expect((await post('/x', 'notepad')).status).toBe(404);
  });

  it.each([
    ['that is no JSON', 'Hello'],
    ['that is a list', '[1, 2'],
    ['that is a damaged zip', 'PK\u0003\u0004damaged'],
  ])('%s is refused', async (_, content) => {
    expect(await problemOf(run('claude-desktop', content))).toBe('unreadable_configuration');
  });

  it('with nothing in it is refused', async () => {
    expect(await problemOf(run('vscode', '{}'))).toBe('nothing_to_import');
    expect(await problemOf(run('cherry-studio', '{"localStorage":{}}'))).toBe('nothing_to_import');
  });
});
