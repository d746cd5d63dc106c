import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { api } from '../../service/contract/index.ts';
import { Release } from '../../service/features/updates/release.ts';
import { samplePackage, upload } from '../../service/testing/sample-plugin.ts';
import { createHosts } from '../built-host.ts';
import { type Block, docPages } from './pages.ts';

const hosts = createHosts();
afterEach(hosts.cleanUp);

const pages = docPages();
const blocks = pages.flatMap((page) => page.blocks);
const having = (language: string, part: string): Block[] =>
  blocks.filter((block) => block.language === language && block.text.includes(part));

/** The blocks that a test runs, by language, with the file of the test. */
const runBy: readonly [language: string, part: string, file: string][] = [
  ['sh', '', 'docs.test.ts and requests.test.ts'],
  ['http', '', 'requests.test.ts'],
  ['json', '"mcpServers"', 'this one'],
  ['json', '"userConfig"', 'this one'],
  ['json', '"product"', 'this one'],
  ['properties', 'db.type', 'this one'],
  ['json', '"id"', 'plugin-guide.java.test.ts and this one'],
  ['java', 'class Main', 'plugin-guide.java.test.ts'],
  ['js', 'createWorker', 'plugin-guide.java.test.ts'],
  ['html', 'plugin-client.js', 'plugin-guide.java.test.ts'],
  ['js', 'startPlugin', 'kit-guide.sandbox.test.ts'],
  ['js', 'PluginClient', 'kit-guide.sandbox.test.ts'],
  ['sql', 'GRANT', 'grants.servers.test.ts'],
];

describe('the blocks in the documents', () => {
  it('are run by a test, or say why not', () => {
    const isRun = ({ language, text }: Block): boolean =>
      runBy.some(([one, part]) => one === language && text.includes(part));
    const unclear = blocks.filter(
      (block) => block.language !== 'text' && block.notRun === null && !isRun(block),
    );
    expect(unclear.map(({ location }) => location)).toEqual([]);
  });

  it('are seldom ones that cannot run here, each with a reason', () => {
    const reasons = blocks.flatMap(({ notRun }) => notRun ?? []);
    for (const reason of reasons) expect(reason.split(' ').length).toBeGreaterThan(3);
    expect(reasons.length).toBeLessThanOrEqual(8);
  });

  it('of the language text hold no commands and no code', () => {
    const codeLike = /^\s*(\$ |curl |node |npm |java |import |const |await |try \()/m;
    const wrong = blocks.filter(
      ({ language, notRun, text }) => language === 'text' && notRun === null && codeLike.test(text),
    );
    expect(wrong.map(({ location }) => location)).toEqual([]);
  });
});

describe('the files that pages show', () => {
  it('name MCP servers that can be imported without a warning', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    const headers = {
      'X-Host-Token': await host.value('HOST_TOKEN'),
      'Content-Type': 'application/json',
    };
    const examples = having('json', '"mcpServers"');
    for (const { text: body } of examples) {
      const url = `${await host.baseUrl()}/api/mcp/import?dryRun=true`;
      const reply = await fetch(url, { method: 'POST', headers, body });
      expect(await reply.json()).toMatchObject({ warnings: [] });
    }
    expect(examples.length).toBeGreaterThan(1);
  });

  it('ask for settings of a plugin that a host takes without a warning', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    const client = await host.client();
    const examples = having('json', '"userConfig"');
    for (const { text } of examples) {
      const manifest = { permissions: ['files.read'], ...(JSON.parse(`{${text}}`) as object) };
      const installed = await upload({ client }, await samplePackage({ manifest }));
      expect(installed).toMatchObject({ warnings: [] });
      const config = await client.call(api.plugins.config, { params: { id: installed.id } });
      expect(config).toMatchObject({ missing: ['key'] });
    }
    expect(examples.length).toBe(1);
  });

  it('are manifests that a host takes without a warning', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    const client = await host.client();
    const examples = having('json', '"id"').filter(
      ({ page }) => page === 'docs/plugin-manifest.md',
    );
    for (const { text } of examples) {
      const manifest = JSON.parse(text) as Record<string, unknown>;
      const installed = await upload({ client }, await samplePackage({ manifest }));
      expect(installed).toMatchObject({ id: manifest['id'], warnings: [] });
    }
    expect(examples.length).toBe(1);
  });

  it('describe an update as the updater reads it', () => {
    const [example] = having('json', '"product"');
    const description = JSON.parse((example?.text ?? '').replace('"…"', '"AAAA"')) as unknown;
    expect(Release.parse(description)).toEqual(description);
  });

  it('name a database whose password is encrypted at the next start', async () => {
    const [example] = having('properties', 'db.type');
    const workDirectory = await hosts.makeFolder();
    const file = join(workDirectory, '.host', 'config', 'datasource.properties');
    await mkdir(dirname(file), { recursive: true });
    const closedPort = 'localhost:9';
    await writeFile(file, (example?.text ?? '').replace('localhost:5432', closedPort));
    const host = await hosts.start({ args: ['--port=0'], workDirectory });
    const { initialized } = await (await host.client()).call(api.setup.status);
    expect(initialized).toBe(false);
    const stored = await readFile(file, 'utf8');
    expect(stored).toContain('db.username=host');
    expect(stored).not.toContain('db.password=secret');
  });
});
