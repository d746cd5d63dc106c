import { expect, test } from 'vitest';
import { inEnglish } from '../../../testing/in-english.ts';
import { pluginFolder } from '../../../testing/plugin-folder.ts';
import { readPluginManifest } from './read-plugin-manifest.ts';

const nothing = {
  name: null,
  title: null,
  version: null,
  description: null,
  author: null,
  homepage: null,
  license: null,
  keywords: [],
  category: null,
};

test('a Claude manifest is read with the parts that it names', async () => {
  const directory = await pluginFolder({
    '.claude-plugin/plugin.json': {
      name: 'formatter',
      displayName: 'The Formatter',
      version: '1.2.0',
      description: 'Formats\n  everything.',
      author: { name: 'Example Org', email: 'x@example.com' },
      homepage: 'https://example.com/formatter',
      repository: 'https://example.com/repository',
      license: 'MIT',
      keywords: ['format', 'format', 3, 'style'],
      skills: ['./skills/engineering'],
      hooks: { PreToolUse: [] },
      lspServers: { x: {} },
    },
  });
  expect(inEnglish(await readPluginManifest(directory))).toEqual({
    userConfig: {},
    dialect: 'claude',
    about: {
      name: 'formatter',
      title: 'The Formatter',
      version: '1.2.0',
      description: 'Formats everything.',
      author: 'Example Org',
      homepage: 'https://example.com/formatter',
      license: 'MIT',
      keywords: ['format', 'style'],
      category: null,
    },
    declared: { skills: ['./skills/engineering'], hooks: { PreToolUse: [] } },
    warnings: [],
  });
});

test('a Codex manifest has more fields in its interface', async () => {
  const directory = await pluginFolder({
    '.codex-plugin/plugin.json': {
      name: 'builds',
      version: '1.0.1',
      skills: './skills/',
      mcpServers: './.mcp.json',
      interface: {
        displayName: 'Builds',
        shortDescription: 'Build any application',
        longDescription: 'Longer',
        developerName: 'Example Org',
        category: 'Developer Tools',
        websiteURL: 'https://example.com',
      },
    },
  });
  const { dialect, about, declared } = inEnglish(await readPluginManifest(directory));
  expect(dialect).toBe('codex');
  expect(about).toEqual({
    ...nothing,
    name: 'builds',
    title: 'Builds',
    version: '1.0.1',
    description: 'Build any application',
    author: 'Example Org',
    homepage: 'https://example.com/',
    category: 'Developer Tools',
  });
  expect(declared).toEqual({ skills: './skills/', mcpServers: './.mcp.json' });
});

test('the neutral manifest has its parts at fixed locations', async () => {
  const directory = await pluginFolder({
    'plugin.json': {
      $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
      name: 'neutral',
      author: 'Example Org',
      skills: './elsewhere',
    },
  });
  expect(inEnglish(await readPluginManifest(directory))).toEqual({
    userConfig: {},
    dialect: 'agent-plugins',
    about: { ...nothing, name: 'neutral', author: 'Example Org' },
    declared: {},
    warnings: [],
  });
});

test('the plugin.json of another tool is ignored, and a plugin needs no manifest', async () => {
  const directory = await pluginFolder({ 'plugin.json': { name: 'a panel', type: 'panel' } });
  const empty = { dialect: null, about: nothing, declared: {}, userConfig: {}, warnings: [] };
  expect(inEnglish(await readPluginManifest(directory))).toEqual(empty);
});

test('a missing directory gives a warning', async () => {
  const { dialect, warnings } = inEnglish(await readPluginManifest('/nonexistent/plugin'));
  expect(dialect).toBeNull();
  expect(warnings).toEqual([{ part: '.', reason: 'does not exist' }]);
});

test('the Claude manifest takes precedence over the Codex one', async () => {
  const directory = await pluginFolder({
    '.claude-plugin/plugin.json': { name: 'claude-name' },
    '.codex-plugin/plugin.json': { name: 'codex-name' },
  });
  expect((await readPluginManifest(directory)).about.name).toBe('claude-name');
});

test.each<[string, unknown, string]>([
  ['no JSON', '{"name": "a",}', 'is not valid JSON'],
  ['a list', [], 'is not a JSON object'],
  ['null', 'null', 'is not a JSON object'],
  ['empty', '', 'is not valid JSON'],
  ['deep', '['.repeat(100_000), 'has too many values or too many levels'],
  ['full of values', `[${'0,'.repeat(200_000)}0]`, 'has too many values or too many levels'],
  ['huge', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 'is larger than 1 MiB'],
])('a manifest that is %s gives a warning, and the next is used', async (_, content, reason) => {
  const directory = await pluginFolder({
    '.claude-plugin/plugin.json': content,
    '.codex-plugin/plugin.json': { name: 'codex-name' },
  });
  const { about, warnings } = inEnglish(await readPluginManifest(directory));
  expect(about.name).toBe('codex-name');
  expect(warnings).toEqual([{ part: '.claude-plugin/plugin.json', reason }]);
});

test('a byte order mark and non-ASCII letters are read', async () => {
  const directory = await pluginFolder({
    '.claude-plugin/plugin.json': `\ufeff{"name": "größe",\r\n "description": "調べる"}`,
  });
  const { about, warnings } = inEnglish(await readPluginManifest(directory));
  expect(about).toEqual({ ...nothing, name: 'größe', description: '調べる' });
  expect(warnings).toEqual([]);
});

test('values of a wrong type, invisible characters and long texts are ignored or made readable', async () => {
  const directory = await pluginFolder({
    '.claude-plugin/plugin.json': {
      name: 'a\u202eb\u0000',
      version: 2,
      description: 'x'.repeat(5_000),
      author: ['nobody'],
      homepage: 'javascript:alert(1)',
      repository: { url: 'git@example.com:a/b.git' },
      license: { type: 'MIT' },
      keywords: 'one',
      category: '  ',
    },
  });
  const { about } = inEnglish(await readPluginManifest(directory));
  expect(about).toEqual({
    ...nothing,
    name: 'a\ufffdb\ufffd',
    version: '2',
    description: `${'x'.repeat(4_000)}…`,
  });
});
