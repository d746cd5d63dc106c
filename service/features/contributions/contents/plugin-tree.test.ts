import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inEnglish } from '../../../testing/in-english.ts';
import { markdownPart, pluginFolder } from '../../../testing/plugin-folder.ts';
import { readContents } from './read-contents.ts';
import { readPluginManifest } from './read-plugin-manifest.ts';

const onlyDefaults = { onlyDeclared: false };
const link = 'is a link or a special file';

describe('nothing outside a plugin is read', () => {
  test('links to skills, commands, agents, hooks and servers are ignored', async () => {
    const outside = await pluginFolder({
      'skill/SKILL.md': markdownPart('outside'),
      'note.md': 'Outside.',
      'data.json': { mcpServers: { outside: { command: 'x' } } },
    });
    const directory = await pluginFolder({
      'skills/own/SKILL.md': markdownPart('own'),
      'skills/linked-file/notes.txt': 'x',
      'agents/own.md': markdownPart('own'),
      'hooks/readme.txt': 'x',
    });
    const links = {
      'skills/linked': 'skill',
      'skills/linked-file/SKILL.md': 'skill/SKILL.md',
      'skills/own/reference.md': 'note.md',
      'agents/linked.md': 'note.md',
      commands: '.',
      'hooks/hooks.json': 'data.json',
      '.mcp.json': 'data.json',
    };
    for (const [path, target] of Object.entries(links)) {
      await symlink(join(outside, target), join(directory, path));
    }
    const found = inEnglish(await readContents(directory, {}, onlyDefaults));
    expect(found.skills.map(({ name, files }) => [name, files])).toEqual([
      ['own', ['skills/own/SKILL.md']],
    ]);
    expect(found.agents.map(({ name }) => name)).toEqual(['own']);
    expect([found.commands, found.hookDocuments, found.mcpServers]).toEqual([[], [], []]);
    expect(found.warnings.map(({ part }) => part)).toEqual(Object.keys(links).sort());
    expect(new Set(found.warnings.map(({ reason }) => reason))).toEqual(new Set([link]));
  });

  test('a declared path does not pass through a link', async () => {
    const outside = await pluginFolder({
      'skill/SKILL.md': markdownPart('outside'),
      'a.md': 'Outside.',
      'data.json': { outside: { command: 'x' } },
    });
    const directory = await pluginFolder({ 'README.md': 'x' });
    await symlink(outside, join(directory, 'out'));
    const declared = {
      skills: ['./out', './out/skill', './out/skill/SKILL.md'],
      commands: ['./out', './out/a.md'],
      agents: './out/a.md',
      hooks: './out/data.json',
      mcpServers: './out/data.json',
    };
    const found = inEnglish(await readContents(directory, declared, onlyDefaults));
    expect(found).toMatchObject({
      skills: [],
      commands: [],
      agents: [],
      hookDocuments: [],
      mcpServers: [],
    });
    expect(new Set(found.warnings.map(({ part }) => part))).toEqual(
      new Set(['out', 'out/skill', 'out/skill/SKILL.md', 'out/a.md', 'out/data.json']),
    );
  });

  test('a manifest that is a link, or in a linked folder, is ignored', async () => {
    const outside = await pluginFolder({ 'plugin.json': { name: 'outside' } });
    const directory = await pluginFolder({ '.codex-plugin/x': '' });
    await symlink(outside, join(directory, '.claude-plugin'));
    await symlink(join(outside, 'plugin.json'), join(directory, '.codex-plugin/plugin.json'));
    const { dialect, warnings } = inEnglish(await readPluginManifest(directory));
    expect(dialect).toBeNull();
    expect(warnings).toEqual([{ part: '.codex-plugin/plugin.json', reason: link }]);
  });

  test('cyclic links do not loop forever', async () => {
    const directory = await pluginFolder({ 'commands/a.md': 'A' });
    await symlink('..', join(directory, 'commands/loop'));
    const { commands } = await readContents(directory, {}, onlyDefaults);
    expect(commands.map(({ name }) => name)).toEqual(['a']);
  });

  test.runIf(process.platform !== 'win32')('a named pipe does not block', async () => {
    const directory = await pluginFolder({ 'commands/a.md': 'A' });
    execFileSync('mkfifo', [join(directory, 'commands/pipe.md'), join(directory, '.mcp.json')]);
    const { commands, warnings } = inEnglish(await readContents(directory, {}, onlyDefaults));
    expect(commands.map(({ name }) => name)).toEqual(['a']);
    expect(warnings).toEqual([
      { part: '.mcp.json', reason: link },
      { part: 'commands/pipe.md', reason: link },
    ]);
  });
});

describe('odd trees', () => {
  test('a folder in place of a file gives a warning or is ignored', async () => {
    const directory = await pluginFolder({
      'skills/a/SKILL.md/x.txt': 'x',
      'commands/a.md/b.md': 'B',
      '.mcp.json/x': 'x',
    });
    const found = inEnglish(await readContents(directory, {}, onlyDefaults));
    expect(found.skills).toEqual([]);
    expect(found.commands.map(({ name }) => name)).toEqual(['a.md:b']);
    expect(found.warnings).toEqual([{ part: '.mcp.json', reason: 'is a folder' }]);
  });

  test('the git repository is not part of the plugin', async () => {
    const directory = await pluginFolder({
      'SKILL.md': markdownPart('solo'),
      '.git/HEAD': 'x',
    });
    const { skills } = await readContents(directory, {}, onlyDefaults);
    expect(skills[0]?.files).toEqual(['SKILL.md']);
  });

  test.runIf(process.platform === 'linux')(
    'files whose names cannot be displayed unchanged are left out',
    async () => {
      const directory = await pluginFolder({ 'commands/ok.md': 'A', 'commands/été.md': 'B' });
      const commands = join(directory, 'commands');
      await writeFile(join(commands, 'a\u202eb.md'), 'x');
      await writeFile(join(commands, 'a\nb.md'), 'x');
      await writeFile(join(commands, 'a\\b.md'), 'x');
      await writeFile(Buffer.concat([Buffer.from(`${commands}/`), Buffer.from([0xff])]), 'x');
      const found = inEnglish(await readContents(directory, {}, onlyDefaults));
      expect(found.commands.map(({ name }) => name)).toEqual(['ok', 'été']);
      expect(found.warnings).toHaveLength(3);
      expect(found.warnings[0]?.part).toMatch(/^commands\//);
    },
  );

  test('nested folders are read to a limited depth', async () => {
    const directory = await pluginFolder({ 'commands/a.md': 'A' });
    const deep = join(directory, 'commands', ...Array.from({ length: 30 }, () => 'd'));
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, 'b.md'), 'B');
    const { commands, warnings } = inEnglish(await readContents(directory, {}, onlyDefaults));
    expect(commands.map(({ name }) => name)).toEqual(['a']);
    expect(warnings.map(({ reason }) => reason)).toEqual(['is more than 16 folders deep']);
  });

  test('a missing directory contributes nothing and gives a warning', async () => {
    const found = inEnglish(await readContents('/nonexistent/plugin', {}, onlyDefaults));
    expect(found.skills).toEqual([]);
    expect(found.warnings).toEqual([{ part: '.', reason: 'does not exist' }]);
  });

  test('there are at most a hundred warnings, and their number', async () => {
    const servers = Array.from({ length: 130 }, (_, i) => [`s${i}`, {}]);
    const directory = await pluginFolder({ '.mcp.json': Object.fromEntries(servers) });
    const { warnings } = inEnglish(await readContents(directory, {}, onlyDefaults));
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toEqual({ part: '.', reason: 'has 30 more problems' });
  });
});
