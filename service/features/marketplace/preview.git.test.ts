import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ServiceError } from '../../client/index.ts';
import { api } from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { type GitServer, startGitServer } from '../../testing/store/git-server.ts';
import { type StaticServer, startStaticServer } from '../../testing/store/static-server.ts';
import { subscribed } from '../../testing/store/subscribed.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { pluginFolders } from '../../testing/plugin-folders.ts';

let host: TestHost;
let repository: GitRepository;
let server: GitServer;
let web: StaticServer;

const secret = 'sk-of-the-author';
const files = {
  'one/README.md': '# One\n\nAdds.\n',
  'one/skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds.\n---\nAdd.\n',
  'one/commands/add.md': '---\ndescription: Adds.\n---\nAdd $1.\n',
  'one/hooks/hooks.json': JSON.stringify({
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'touch ran' }] }],
    },
  }),
  'one/.mcp.json': JSON.stringify({
    mcpServers: {
      sums: { command: 'sums', args: ['--all'], env: { KEY: secret } },
      far: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: secret } },
    },
  }),
  'one/outside': { link: '/etc/passwd' },
};

beforeAll(async () => {
  repository = await makeRepository(files);
  server = await startGitServer({ plugins: repository });
  web = await startStaticServer();
  host = await startTestHost();
});
afterEach(() => {
  server.instead = () => false;
});
afterAll(async () => {
  await host.close();
  await web.close();
  await server.close();
  await repository.close();
});

const preview = (id: string, signal?: AbortSignal) =>
  host.client.call(api.market.look, { params: { id }, ...(signal && { signal }) });
const inGit = (url: string) => ({ source: 'git-subdir', url, path: 'one' });
const staged = () => readdir(host.paths.staging).catch(() => []);

it('the contents of a plugin from git are known before it is installed, and nothing of it is kept or run', async () => {
  await subscribed(host, 'looked', [{ name: 'x', source: inGit(repository.url) }]);
  const id = 'claude.looked.x';
  const seen = await preview(id);
  expect(seen).toMatchObject({
    commit: await repository.git('rev-parse', 'HEAD'),
    readme: files['one/README.md'],
    contents: {
      skills: ['sum'],
      commands: ['add'],
      agents: [],
      mcpServers: ['far', 'sums'],
      hooks: [expect.stringContaining(id)],
    },
    hooks: [{ event: 'pre_tool_use', matcher: 'Bash', command: 'touch ran' }],
    servers: [
      { name: 'far', url: 'https://example.com/mcp' },
      { name: 'sums', command: 'sums', args: ['--all'] },
    ],
    warnings: [{ path: 'outside', message: 'is a symbolic link' }],
  });
  expect(seen.sizeBytes).toBeGreaterThan(100);
  expect(JSON.stringify(seen)).not.toContain(secret);
  expect(await host.client.call(api.market.details, { params: { id } })).toMatchObject({
    installed: false,
  });
  expect(await staged()).toEqual([]);
  expect(await pluginFolders(host.paths.plugins)).toEqual([]);
});

it('a preview shows what an installation then provides', async () => {
  await subscribed(host, 'kept', [{ name: 'x', source: inGit(repository.url) }]);
  const params = { id: 'claude.kept.x' };
  const { contents, hooks, servers, readme } = await preview(params.id);
  await host.client.call(api.market.install, { params });
  const details = await host.client.call(api.market.details, { params });
  expect({ readme: details.readme, contents: details.contents }).toEqual({ readme, contents });
  const trusts = await host.client.call(api.contributions.hooks);
  expect(trusts.find(({ pluginId }) => pluginId === params.id)).toMatchObject({ hooks, servers });
  await host.client.call(api.market.uninstall, { params, query: { deleteData: 'true' } });
});

it('a preview is fetched once until the catalog is read again', async () => {
  const entry = { name: 'x', source: inGit(server.urlOf('plugins')) };
  const { change } = await subscribed(host, 'once', [entry], web);
  const first = await preview('claude.once.x');
  const asked = server.asked.length;
  expect(asked).toBeGreaterThan(0);
  expect(await preview('claude.once.x')).toEqual(first);
  expect(server.asked).toHaveLength(asked);
  await change([{ ...entry, description: 'Another word.' }]);
  await preview('claude.once.x');
  expect(server.asked.length).toBeGreaterThan(asked);
});

it('a preview is cancelled when its caller disconnects, and can be requested again', async () => {
  const plugins = [{ name: 'x', source: inGit(server.urlOf('plugins')) }];
  await subscribed(host, 'left', plugins, web);
  const leaving = new AbortController();
  const held = new Promise<void>((resolve) => {
    server.instead = ({ method }) => {
      if (method === 'POST') resolve();
      return method === 'POST';
    };
  });
  const asking = preview('claude.left.x', leaving.signal);
  asking.catch(() => undefined);
  await held;
  leaving.abort();
  await expect(asking).rejects.toThrow();
  await expect.poll(staged).toEqual([]);
  server.instead = () => false;
  expect((await preview('claude.left.x')).contents?.skills).toEqual(['sum']);
});

it('a package has the same preview, and its address is checked as for an installation', async () => {
  const manifest = {
    id: 'acme.packed',
    name: 'Packed',
    version: '2.0.0',
    permissions: ['network'],
  };
  const skill = files['one/skills/sum/SKILL.md'];
  const packed = await packPlugin({ manifest, files: { 'skills/sum/SKILL.md': skill } });
  const file = join(host.workDirectory, 'packed.plugin');
  await writeFile(file, packed);
  const catalog = join(host.workDirectory, 'packed.json');
  const plugins = [
    { ...manifest, package: pathToFileURL(file).href },
    { ...manifest, id: 'acme.private', package: 'http://192.168.1.1/x.plugin' },
  ];
  await writeFile(catalog, JSON.stringify({ name: 'Packed', plugins }));
  await host.client.call(api.store.addSource, { body: { url: pathToFileURL(catalog).href } });
  expect(await preview('acme.packed')).toMatchObject({
    version: '2.0.0',
    permissions: ['network'],
    contents: { skills: ['sum'] },
  });
  await expect(preview('acme.private')).rejects.toMatchObject({
    problem: { code: 'not_installable' },
  });
  expect(await staged()).toEqual([]);
});

it('a preview reports why nothing can be fetched', async () => {
  const plugins = [
    { name: 'gone', source: inGit(server.urlOf('nothing')) },
    { name: 'empty', source: { ...inGit(server.urlOf('plugins')), path: 'two' } },
    { name: 'npm', source: { source: 'npm', package: 'x' } },
  ];
  await subscribed(host, 'wrong', plugins, web);
  const codeOf = (name: string) =>
    preview(`claude.wrong.${name}`).then(
      () => '',
      (error: unknown) => (error as ServiceError).problem.code,
    );
  expect(await codeOf('gone')).toBe('git_failed');
  expect(await codeOf('empty')).toBe('invalid_repository');
  expect(await codeOf('npm')).toBe('not_installable');
  expect(await codeOf('unknown')).toBe('unknown_plugin');
  expect(await staged()).toEqual([]);
});
