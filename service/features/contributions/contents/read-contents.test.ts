import { describe, expect, test } from 'vitest';
import { type InEnglish, inEnglish } from '../../../testing/in-english.ts';
import { markdownPart, pluginFolder } from '../../../testing/plugin-folder.ts';
import type { DeclaredParts, PluginContents } from './plugin-contents.ts';
import { readContents } from './read-contents.ts';

async function read(
  files: Record<string, unknown>,
  declared: DeclaredParts = {},
  onlyDeclared = false,
): Promise<InEnglish<PluginContents>> {
  return inEnglish(await readContents(await pluginFolder(files), declared, { onlyDeclared }));
}

const names = (parts: { name: string }[]): string[] => parts.map(({ name }) => name);
const skills = (...folders: string[]): Record<string, string> =>
  Object.fromEntries(
    folders.map((folder) => [`${folder}/SKILL.md`, markdownPart(folder.split('/').at(-1) ?? '')]),
  );

test('an empty plugin contributes nothing', async () => {
  expect(await read({ 'README.md': 'Hello', 'assets/a.md': 'x' })).toEqual({
    skills: [],
    commands: [],
    agents: [],
    hookDocuments: [],
    mcpServers: [],
    warnings: [],
  });
});

test('a whole plugin is read from its default locations', async () => {
  const hooks = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
  const found = await read({
    '.claude-plugin/plugin.json': { name: 'whole' },
    'skills/zeta/SKILL.md': markdownPart('zeta'),
    'skills/alpha/SKILL.md': markdownPart('alpha', 'Finds things.'),
    'skills/alpha/references/deep/more.md': 'x',
    'skills/alpha/script.sh': 'x',
    'skills/README.md': 'x',
    'commands/git/commit.md': '---\ndescription: Commits\nargument-hint: [message]\n---\nDo it.',
    'commands/review.md': 'Review the work.\n\nAll of it.',
    'commands/README.md': 'For people.',
    'agents/reviewer.md': markdownPart('code-reviewer'),
    'agents/team/plain.md': 'Checks plans.',
    'hooks/hooks.json': hooks,
    'hooks.json': { Stop: [] },
    '.mcp.json': { mcpServers: { echo: { command: 'echo' } } },
  });
  expect(found).toEqual({
    skills: [
      {
        name: 'alpha',
        description: 'Finds things.',
        directory: 'skills/alpha',
        path: 'skills/alpha/SKILL.md',
        files: [
          'skills/alpha/SKILL.md',
          'skills/alpha/references/deep/more.md',
          'skills/alpha/script.sh',
        ],
      },
      {
        name: 'zeta',
        description: 'Does zeta.',
        directory: 'skills/zeta',
        path: 'skills/zeta/SKILL.md',
        files: ['skills/zeta/SKILL.md'],
      },
    ],
    commands: [
      {
        name: 'git:commit',
        description: 'Commits',
        argumentHint: '[message]',
        path: 'commands/git/commit.md',
      },
      {
        name: 'review',
        description: 'Review the work.',
        argumentHint: null,
        path: 'commands/review.md',
      },
    ],
    agents: [
      { name: 'code-reviewer', description: 'Does code-reviewer.', path: 'agents/reviewer.md' },
      { name: 'plain', description: 'Checks plans.', path: 'agents/team/plain.md' },
    ],
    hookDocuments: [
      { from: 'hooks/hooks.json', document: hooks },
      { from: 'hooks.json', document: { Stop: [] } },
    ],
    mcpServers: [{ name: 'echo', transport: 'STDIO', command: 'echo' }],
    warnings: [],
  });
});

describe('skills', () => {
  test('a plugin can itself be a skill', async () => {
    const { skills: found } = await read({ 'SKILL.md': markdownPart('solo'), 'a/b.txt': 'x' });
    expect(found).toEqual([
      {
        name: 'solo',
        description: 'Does solo.',
        directory: '.',
        path: 'SKILL.md',
        files: ['SKILL.md', 'a/b.txt'],
      },
    ]);
  });

  test('groups of skills are found if the manifest names no locations', async () => {
    const files = skills('skills/one', 'skills/group/two', 'skills/group/sub/three');
    expect(names((await read(files)).skills)).toEqual(['one', 'two']);
  });

  test('other groups are ignored if the manifest names some', async () => {
    const files = skills('skills/one', 'skills/good/two', 'skills/unfinished/three');
    const { skills: found, warnings } = await read(files, { skills: ['./skills/good'] });
    expect(names(found)).toEqual(['one', 'two']);
    expect(warnings).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['the folder of a skill', './more/extra'],
    ['a folder of skills', 'more/'],
    ['a folder of groups', './'],
    ['the file', ['./more/extra/SKILL.md']],
    ['the root variable', '${CLAUDE_PLUGIN_ROOT}/more'],
    ['the same twice', ['./more', './more/extra', './more/./extra/']],
  ])('a manifest adds locations: %s', async (_, declared) => {
    const files = skills('skills/one', 'more/extra');
    const { skills: found, warnings } = await read(files, { skills: declared });
    expect(names(found)).toEqual(['extra', 'one']);
    expect(warnings).toEqual([]);
  });

  test.each<[string, unknown, string, string]>([
    ['above the plugin', '../other', 'skills', 'is not a path inside the plugin'],
    ['on the way above it', './skills/../../x', 'skills', 'is not a path inside the plugin'],
    ['absolute', '/etc', 'skills', 'is not a path inside the plugin'],
    ['of Windows', ['a\\b', 'C:/x'], 'skills[0]', 'is not a path inside the plugin'],
    ['hidden', 'a\u202eb', 'skills', 'is not a path inside the plugin'],
    ['cut short', 'a\0b', 'skills', 'is not a path inside the plugin'],
    ['empty', '', 'skills', 'is not a path inside the plugin'],
    ['nothing', './none', 'none', 'is listed as a skill folder, but has no SKILL.md'],
    ['an object', { a: 1 }, 'skills', 'is not a path; skills are folders of the plugin'],
    ['a number', [7], 'skills[0]', 'is neither a path nor an object'],
  ])('a location that is %s gives a warning', async (_, declared, part, reason) => {
    const { skills: found, warnings } = await read(skills('skills/one'), { skills: declared });
    expect(names(found)).toEqual(['one']);
    expect(warnings).toContainEqual({ part, reason });
  });

  test('the name defaults to the folder, the description to the first paragraph', async () => {
    const { skills: found, warnings } = await read({
      'skills/a/SKILL.md': '# Heading\n\nFinds the\nneedle.\n',
      'skills/b/skill.md': '---\nname: ../b\n---\n',
      'skills/c/SKILL.md': '---\nname: ".."\ndescription: C\n---\n',
      'skills/größe 調/SKILL.md': '---\ndescription: Größe\n---\n',
    });
    expect(found.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'Finds the needle.'],
      ['b', ''],
      ['c', 'C'],
      ['größe 調', 'Größe'],
    ]);
    const reason = 'has a name that cannot be used; the name of its file is used instead';
    expect(warnings).toEqual([
      { part: 'skills/b/skill.md', reason },
      { part: 'skills/c/SKILL.md', reason },
    ]);
  });

  test('invisible characters are made visible, and long descriptions shortened', async () => {
    const { skills: found, warnings } = await read({
      'skills/a/SKILL.md': '---\nname: "a\\u202eb"\ndescription: "x\\u0007\\u2066y"\n---\n',
      'skills/b/SKILL.md': markdownPart('b', 'long '.repeat(2_000)),
    });
    expect(found[0]).toMatchObject({ name: 'a\ufffdb', description: 'x\ufffd\ufffdy' });
    expect(found[1]?.description.length).toBeLessThanOrEqual(4_001);
    expect(warnings).toEqual([
      { part: 'skills/b/SKILL.md', reason: 'has a description of more than 4000 characters' },
    ]);
  });

  test('fields that are not valid YAML are read', async () => {
    const { skills: found, warnings } = await read({
      'skills/a/SKILL.md': '\ufeff---\r\nname: a\r\ndescription: For work: writing\r\n---\r\nText',
    });
    expect(found[0]).toMatchObject({ name: 'a', description: 'For work: writing' });
    expect(warnings).toEqual([]);
  });

  test('the first of two skills with the same name is kept', async () => {
    const { skills: found, warnings } = await read({
      'skills/b/SKILL.md': markdownPart('same', 'second'),
      'skills/a/SKILL.md': markdownPart('same', 'first'),
    });
    expect(found).toMatchObject([{ name: 'same', description: 'first' }]);
    expect(warnings).toEqual([
      { part: 'skills/b/SKILL.md', reason: 'has the same name as another: same' },
    ]);
  });

  test('a skill lists at most 500 files, including its text', async () => {
    const others = Array.from({ length: 600 }, (_, i) => [`skills/a/A/${i}.txt`, '']);
    const { skills: found, warnings } = await read({
      ...Object.fromEntries(others),
      'skills/a/SKILL.md': markdownPart('a'),
    });
    expect(found[0]?.files).toHaveLength(500);
    expect(found[0]?.files).toContain('skills/a/SKILL.md');
    expect(warnings).toEqual([
      { part: 'skills/a', reason: 'has more than 500 files; the others are not listed' },
    ]);
  });

  test('two hundred skills are read in order', async () => {
    const folders = Array.from({ length: 200 }, (_, i) => `skills/s${String(i).padStart(3, '0')}`);
    const { skills: found } = await read(skills(...folders));
    expect(found.map(({ directory }) => directory)).toEqual(folders);
  });
});

describe('commands and agents', () => {
  test('a manifest adds files and folders', async () => {
    const files = {
      'commands/a.md': 'A',
      'custom/b.md': 'B',
      'more/sub/c.md': 'C',
      'more/notes.txt': 'x',
      'people/d.md': markdownPart('d'),
    };
    const declared = { commands: ['./custom/b.md', './more'], agents: './people/' };
    const found = await read(files, declared);
    expect(names(found.commands)).toEqual(['a', 'b', 'sub:c']);
    expect(names(found.agents)).toEqual(['d']);
    expect(found.warnings).toEqual([]);
  });

  test('commands can be a map of names', async () => {
    const commands = {
      about: { source: './README.md', description: 'Tells of it', argumentHint: '<topic>' },
      inline: { content: 'Do it' },
      out: { source: '../x.md' },
    };
    const found = await read({ 'README.md': 'Hello.' }, { commands });
    expect(found.commands).toEqual([
      { name: 'about', description: 'Tells of it', argumentHint: '<topic>', path: 'README.md' },
    ]);
    const reason = 'is left out: its source is not a file of the plugin';
    expect(found.warnings).toEqual([
      { part: 'commands.inline', reason },
      { part: 'commands.out', reason },
    ]);
  });

  test('locations without Markdown files and agents that are objects give warnings', async () => {
    const declared = { commands: ['./none', './data.json'], agents: { a: {} } };
    const { warnings } = await read({ 'data.json': '{}' }, declared);
    expect(warnings).toEqual([
      { part: 'agents', reason: 'is not a path; agents are files of the plugin' },
      { part: 'data.json', reason: 'is listed in commands, but has no .md file' },
      { part: 'none', reason: 'is listed in commands, but has no .md file' },
    ]);
  });

  test('a file above 1 MiB is ignored', async () => {
    const { commands, warnings } = await read({
      'commands/big.md': 'x'.repeat(1024 * 1024 + 1),
      'commands/ok.md': 'x'.repeat(1024 * 1024),
    });
    expect(names(commands)).toEqual(['ok']);
    expect(warnings).toEqual([{ part: 'commands/big.md', reason: 'is larger than 1 MiB' }]);
  });

  test('a plugin has at most 2,000 of each', async () => {
    const files = Array.from({ length: 2_010 }, (_, i) => [`commands/c${i}.md`, 'x']);
    const { commands, warnings } = await read(Object.fromEntries(files));
    expect(commands).toHaveLength(2_000);
    expect(warnings).toEqual([
      { part: 'commands', reason: 'are more than 2000; the others are left out' },
    ]);
  });
});

describe('hooks', () => {
  const document = { hooks: { Stop: [] } };

  test.each<[string, unknown, unknown[]]>([
    ['a path', './config/hooks.json', [{ from: 'config/hooks.json', document }]],
    ['the default file', './hooks/hooks.json', []],
    ['an object', { Stop: [1] }, [{ from: 'hooks', document: { Stop: [1] } }]],
    ['an empty object', {}, []],
    [
      'paths and objects',
      ['./config/hooks.json', { Stop: [1] }],
      [
        { from: 'config/hooks.json', document },
        { from: 'hooks[1]', document: { Stop: [1] } },
      ],
    ],
    [
      'a list of hooks',
      [{ event: 'pre_tool_use', type: 'command', command: 'true' }],
      [
        {
          from: 'hooks',
          document: [{ event: 'pre_tool_use', type: 'command', command: 'true' }],
        },
      ],
    ],
  ])('named by a manifest are added to those in the file: %s', async (_, hooks, added) => {
    const files = { 'hooks/hooks.json': document, 'config/hooks.json': document };
    const found = await read(files, { hooks });
    expect(found.hookDocuments).toEqual([{ from: 'hooks/hooks.json', document }, ...added]);
    expect(found.warnings).toEqual([]);
  });

  test('in a broken file give a warning', async () => {
    const { hookDocuments, warnings } = await read({ 'hooks/hooks.json': '{' }, { hooks: './no' });
    expect(hookDocuments).toEqual([]);
    expect(warnings).toEqual([
      { part: 'hooks/hooks.json', reason: 'is not valid JSON' },
      { part: 'no', reason: 'does not exist' },
    ]);
  });
});

describe('a catalog entry that replaces the manifest', () => {
  const files = {
    ...skills('skills/xlsx', 'skills/docx', 'skills/pdf', 'local-ai-use'),
    'commands/a.md': 'A',
    '.mcp.json': { echo: { command: 'x' } },
  };

  test('contributes what it names and nothing else', async () => {
    const declared = { skills: ['./skills/xlsx', './skills/docx', './local-ai-use'] };
    const found = await read(files, declared, true);
    expect(names(found.skills)).toEqual(['docx', 'local-ai-use', 'xlsx']);
    expect([found.commands, found.mcpServers, found.warnings]).toEqual([[], [], []]);
  });

  test('contributes the default locations if it names nothing', async () => {
    const found = await read(files, { skills: undefined }, true);
    expect(names(found.skills)).toEqual(['docx', 'pdf', 'xlsx']);
    expect(names(found.commands)).toEqual(['a']);
    expect(names(found.mcpServers)).toEqual(['echo']);
  });
});
