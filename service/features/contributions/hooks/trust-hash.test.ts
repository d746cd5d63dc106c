import { execFileSync } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseHooks } from './parse-hooks.ts';
import { trustHash } from './trust-hash.ts';

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'trust-hash-')));
  root = join(folder, 'plugin');
  await mkdir(root);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the trusted content', () => {
  const server = { name: 'a', command: 'node', args: ['x', 'y'], env: { A: '1', B: '2' } };

  beforeEach(() => put({ 'hooks/run.sh': 'one', 'README.md': 'one' }));

  test('changes with a hook, even an unsupported one', async () => {
    const first = await hashOf('sh hooks/run.sh');
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf('sh hooks/run.sh')).toBe(first);
    expect(await hashOf('sh hooks/run.sh ')).not.toBe(first);
    expect(await hashOf('sh hooks/run.sh', 'echo')).not.toBe(first);
    expect(await hashOfDocument([{ event: 'SessionStart', command: 'a' }])).not.toBe(
      await hashOfDocument([{ event: 'SessionStart', command: 'b' }]),
    );
  });

  test.each([
    { matcher: 'Bash' },
    { event: 'PostToolUse' },
    { timeout: 9 },
    { enabled: false },
    { args: ['x'] },
    { if: 'Bash(git *)' },
    { type: 'http', url: 'http://a.test/' },
  ])('changes with %j of a hook', async (fields) => {
    const hook = { event: 'PreToolUse', type: 'command', command: 'x' };
    expect(await hashOfDocument([{ ...hook, ...fields }])).not.toBe(await hashOfDocument([hook]));
  });

  test('changes with a server, a value of its environment, the order of its arguments', async () => {
    const first = await hashOfServers(server);
    const others = [
      { ...server, env: { A: '1', B: '3' } },
      { ...server, env: { A: '1' } },
      { ...server, args: ['y', 'x'] },
      { ...server, command: 'deno' },
      { ...server, url: 'http://a.test' },
    ];
    const hashes = await Promise.all(others.map((other) => hashOfServers(other)));
    expect(
      new Set([first, ...hashes, await hashOfServers(), await hashOfServers(server, server)]).size,
    ).toBe(8);
  });

  test('does not depend on the order of keys, servers, hooks and files', async () => {
    const turned = { env: { B: '2', A: '1' }, args: ['x', 'y'], command: 'node', name: 'a' };
    const other = { name: 'b', command: 'c' };
    expect(await hashOfServers(turned, other)).toBe(await hashOfServers(other, server));
    const hooks = [
      { event: 'Stop', command: 'sh hooks/run.sh' },
      { event: 'Stop', command: 'b' },
    ];
    expect(await hashOfDocument(hooks.toReversed())).toBe(await hashOfDocument(hooks));
    expect(await hashOfDocument([{ command: 'b', event: 'Stop' }])).toBe(
      await hashOfDocument([{ event: 'Stop', command: 'b' }]),
    );
  });

  test('does not depend on the location of the plugin', async () => {
    const at = (path: string) => ({
      name: 'a',
      command: `${path}/hooks/run.sh`,
      args: ['${PLUGIN_ROOT}/README.md'],
    });
    const first = await hashOfServers(at(root));
    const moved = join(folder, 'moved');
    await rename(root, moved);
    expect(await trustHash(moved, { hooks: [], mcpServers: [at(moved)] })).toBe(first);
  });

  test('never confuses one value with another', async () => {
    expect(await hashOfServers({ name: 'a', command: 'b' })).not.toBe(
      await hashOfServers({ name: 'ab', command: '' }),
    );
    expect(await trustHash(root, { hooks: [], mcpServers: [] })).not.toBe(await hashOfServers({}));
  });
});

describe('files', () => {
  const command = 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/run.sh"';

  test('named ones count, others do not', async () => {
    await put({ 'hooks/run.sh': 'one', 'README.md': 'one', 'other.sh': 'one' });
    await changes(command, { 'hooks/run.sh': 'two' });
    await stays(command, { 'README.md': 'two', 'other.sh': 'two', 'hooks/README.md': 'new' });
  });

  test('named ones count when they are created and when they are deleted', async () => {
    await changes(command, { 'hooks/run.sh': '' });
    await changes(command, { 'hooks/run.sh': null });
  });

  test('long ones are read completely', async () => {
    await put({ 'hooks/run.sh': '' });
    const megabytes = Buffer.alloc(1024 ** 2, 'x');
    const file = await open(join(root, 'hooks/run.sh'), 'r+');
    for (let index = 0; index < 5; index += 1)
      await file.write(megabytes, 0, megabytes.length, null);
    const before = await hashOf(command);
    await file.write('y', 5 * 1024 ** 2 - 1);
    await file.close();
    expect(await hashOf(command)).not.toBe(before);
  });

  const named: [command: string, file: string][] = [
    ['hooks/run.sh', 'hooks/run.sh'],
    ['./hooks/run.sh', 'hooks/run.sh'],
    ['HOOKS/RUN.SH', 'hooks/run.sh'],
    ['$PLUGIN_ROOT/run', 'run'],
    ['"${CLAUDE_PLUGIN_ROOT}"/bin/run now', 'bin/run'],
    ["'${HOST_PLUGIN_ROOT}/my hooks/run it'", 'my hooks/run it'],
    ['sh -c "cd x; \'${PLUGIN_ROOT}/my hooks/run it\'"', 'my hooks/run it'],
    ['%CLAUDE_PLUGIN_ROOT%\\bin\\run.cmd', 'bin/run.cmd'],
    ['node "$env:CLAUDE_PLUGIN_ROOT\\hooks\\gate"', 'hooks/gate'],
    ['${CODEX_PLUGIN_ROOT:-${CLAUDE_PLUGIN_ROOT}}/bin/run', 'bin/run'],
    ['R=${CLAUDE_PLUGIN_ROOT%/}; exec "$R/bin/run"', 'bin/run'],
    ['a && b;bin/run|c', 'bin/run'],
    ['x $(cat data/list)', 'data/list'],
    ['x `cat data/list`', 'data/list'],
    ['x <data/list', 'data/list'],
    ['x --config=etc/conf', 'etc/conf'],
    ['x -Ilib', 'lib/deep/er'],
    ['x -C. y', 'any'],
    ['curl -d @data/body http://a.test', 'data/body'],
    ['PATH=bin:$PATH run', 'bin/run'],
    ['cat rules/*', 'rules/a'],
    ['for f in *.sh; do . $f; done', 'any.sh'],
    ['sh hooks/$NAME', 'hooks/x'],
    ['sh hooks', 'hooks/deep/x'],
    ['cd hooks/ && ./x', 'hooks/x'],
    ['cd ${PLUGIN_ROOT} && ./x', 'any/where'],
    ['tool .', 'any/where'],
    ['tool hooks/..', 'any/where'],
    ['npm run check', 'package.json'],
    ['make check', 'Makefile'],
    ['python3 -m hooks.check', 'hooks/check.py'],
    ['node -e "require(\'./lib/check\').run()"', 'lib/check.js'],
    ['node -e "require(path.join(process.env.CLAUDE_PLUGIN_ROOT, a + b))"', 'any/where'],
    ['node -e \'const p=require("path");require(p.join(r,"scripts","x.js"))\'', 'scripts/x.js'],
    ['#!/bin/bash\ninput=$(cat)\nsource "$(dirname "$0")/lib/common.sh"\n', 'lib/common.sh'],
    ['node ../plugin/x', 'x'],
    ['node naïve/größe', 'naïve/größe'],
  ];
  test.each(named)('%s names %s', async (text, file) => {
    await changes(text, { [file]: 'new' });
    await changes(text, { [file]: 'newer' });
  });

  test.each([
    'node hooks/x.js',
    'echo "hello / world"',
    'ls /',
    'python3 "${CLAUDE_PLUGIN_ROOT}/hooks/x.py" --verbose',
    '"${CLAUDE_PLUGIN_ROOT}"/bin/run-hook.sh validate',
    'cat ${CLAUDE_PLUGIN_DATA}/state.json',
    'npx protect-mcp@0.7.4 evaluate --policy "${PROTECT_MCP_POLICY:-./protect.cedar}" --tool "$TOOL_NAME"',
  ])('%s does not name everything', async (text) => {
    await stays(text, {
      'README.md': 'x',
      'docs/guide.md': 'x',
      'ui/index.html': 'x',
      'assets/a.png': 'x',
    });
  });

  test('arguments, folders and variables of servers name files, too', async () => {
    const server = {
      name: 'a',
      command: 'node',
      args: ['server/main.js'],
      env: { RULES: '${PLUGIN_ROOT}/rules.json' },
    };
    const first = await hashOfServers(server);
    await put({ 'server/main.js': 'x' });
    const second = await hashOfServers(server);
    await put({ 'rules.json': 'x' });
    const third = await hashOfServers(server);
    await put({ 'server/other.txt': 'x' });
    expect(await hashOfServers(server)).toBe(third);
    const inFolder = await hashOfServers({ ...server, cwd: './server' });
    await put({ 'server/other.txt': 'y' });
    expect(await hashOfServers({ ...server, cwd: './server' })).not.toBe(inFolder);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test('arguments of hooks name files, too', async () => {
    const document = [{ event: 'Stop', command: 'node', args: ['${PLUGIN_ROOT}/bin/x'] }];
    const before = await hashOfDocument(document);
    await put({ 'bin/x': 'x' });
    expect(await hashOfDocument(document)).not.toBe(before);
  });

  const loaded: [what: string, script: string, text: string, file: string][] = [
    ['required', 'hooks/a.js', "const x = require('./lib/x');", 'hooks/lib/x.js'],
    ['imported from above', 'hooks/a.mjs', "import '../core/x.mjs';", 'core/x.mjs'],
    ['a folder with an index', 'hooks/a.js', "require('../core')", 'core/index.js'],
    ['a neighbour in Python', 'hooks/a.py', 'import rules\n', 'hooks/rules.py'],
    ['a package in Python', 'hooks/a.py', 'from plugin.core.rules import x\n', 'core/rules.py'],
    ['sourced', 'hooks/a.sh', '. "${BASH_SOURCE%/*}/common"\n', 'hooks/common'],
    ['joined', 'hooks/a.js', "join(__dirname, 'lib', 'x.js')", 'hooks/lib/x.js'],
    [
      'a dependency',
      'hooks/a.js',
      "import x from 'some-thing';",
      'node_modules/some-thing/dist/x.js',
    ],
    ['a scoped one', 'hooks/a.js', "import x from '@a/b';", 'node_modules/@a/b/x.js'],
  ];
  test.each(loaded)(
    'files that a named script loads count: %s',
    async (_what, script, text, file) => {
      await put({ [script]: text });
      await changes(`run ${script}`, { [file]: 'new' });
      await changes(`run ${script}`, { [file]: 'newer' });
    },
  );

  test('files that a loaded script loads count, too, and cycles end', async () => {
    await put({ 'a.js': "require('./b')", 'b.js': "require('./c'); require('./a')", 'c.js': '' });
    await changes('node a.js', { 'c.js': 'new' });
  });

  test('programs count, but are not searched for names', async () => {
    await put({ 'bin/run': 'x\0 other.sh', 'other.sh': 'one' });
    await stays('bin/run', { 'other.sh': 'two' });
    await changes('bin/run', { 'bin/run': 'y\0' });
  });
});

describe('links', () => {
  test('count by their targets and by the entries they lead to inside', async () => {
    await put({ 'one.txt': '1', 'two.txt': '2' });
    await symlink('one.txt', join(root, 'tool'));
    const first = await hashOf('./tool');
    await put({ 'one.txt': '1b' });
    const second = await hashOf('./tool');
    await rm(join(root, 'tool'));
    await symlink('two.txt', join(root, 'tool'));
    expect(new Set([first, second, await hashOf('./tool')]).size).toBe(3);
  });

  test('on the path to a file are resolved', async () => {
    await put({ 'real/run': '1' });
    await symlink('real', join(root, 'hooks'));
    await changes('hooks/run', { 'real/run': '2' });
  });

  test('out of the plugin are not followed', async () => {
    await writeFile(join(folder, 'outside'), '1');
    await symlink('../outside', join(root, 'tool'));
    await symlink(join(folder, 'outside'), join(root, 'absolute'));
    const before = await hashOf('./tool ./absolute');
    await writeFile(join(folder, 'outside'), '2');
    expect(await hashOf('./tool ./absolute')).toBe(before);
  });

  test('to each other do not loop forever', async () => {
    await symlink('b', join(root, 'a'));
    await symlink('a', join(root, 'b'));
    expect(await hashOf('./a/x')).toMatch(/^[0-9a-f]{64}$/);
  });

  test.runIf(process.platform !== 'win32')('and named pipes do not block', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await mkdir(join(root, 'sub'));
    expect(await hashOf('tool .')).toMatch(/^[0-9a-f]{64}$/);
  });
});

test.runIf(process.platform === 'linux')('unreadable files never have the same hash', async () => {
  await put({ 'hooks/run.sh': 'x', 'other.sh': 'x' });
  const before = await hashOf('sh hooks');
  expect(await hashOf('sh hooks')).toBe(before);
  // A name with invalid UTF-8 can be listed but not opened.
  await writeFile(Buffer.from(`${root}/hooks/\xff`, 'latin1'), 'x');
  expect(await hashOf('sh hooks')).not.toBe(await hashOf('sh hooks'));
  expect(await hashOf('sh other.sh')).toBe(await hashOf('sh other.sh'));
});

describe('a plugin crafted to be slow is hashed quickly and completely', () => {
  const tookMs = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };

  test('with many files of the same name and many paths that end in it', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}/a.js`);
    await put(Object.fromEntries(names.map((name) => [name, ''])));
    const paths = Array.from({ length: 20_000 }, (_, index) => `q${index}/a.js`);
    await put({ 'run.sh': paths.join(' '), 'other.md': 'one' });
    expect(await tookMs(() => changes('sh run.sh', { 'other.md': 'two' }))).toBeLessThan(15_000);
  });

  test('with endless paths in its commands', async () => {
    await put({ 'other.md': 'one' });
    const command = `${'a/'.repeat(2_000)} `.repeat(8);
    const commands = Array.from({ length: 8 }, (_, index) => `${command}${index}`);
    expect(await tookMs(() => hashOf(...commands))).toBeLessThan(15_000);
    await stays(commands[0] as string, { 'other.md': 'two' });
  });

  test('with very long commands', async () => {
    const commands = Array.from({ length: 20 }, (_, index) => `${index} ${'x y '.repeat(5_000)}`);
    await put({ 'other.md': 'one' });
    const before = await hashOf(...commands);
    await put({ 'other.md': 'two' });
    expect(await hashOf(...commands)).not.toBe(before);
  });
});

test('a missing plugin can be hashed', async () => {
  await rm(root, { recursive: true });
  expect(await hashOf('hooks/run.sh')).toMatch(/^[0-9a-f]{64}$/);
});

test('hashing changes nothing in the plugin', async () => {
  await put({ 'hooks/run.sh': 'x', 'lib/a': 'y' });
  const copy = join(folder, 'copy');
  await cp(root, copy, { recursive: true });
  const first = await hashOf('sh hooks/run.sh .');
  expect(await hashOf('sh hooks/run.sh .')).toBe(first);
  await rm(root, { recursive: true });
  await rename(copy, root);
  expect(await hashOf('sh hooks/run.sh .')).toBe(first);
});

async function put(files: Record<string, string | null>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    if (text === null) await rm(file);
    else await writeFile(file, text);
  }
}

async function changes(command: string, files: Record<string, string | null>): Promise<void> {
  const before = await hashOf(command);
  await put(files);
  expect(await hashOf(command)).not.toBe(before);
}

async function stays(command: string, files: Record<string, string>): Promise<void> {
  const before = await hashOf(command);
  await put(files);
  expect(await hashOf(command)).toBe(before);
}

function hashOf(...commands: string[]): Promise<string> {
  return hashOfDocument(
    commands.map((command) => ({ event: 'PreToolUse', type: 'command', command })),
  );
}

function hashOfDocument(document: unknown): Promise<string> {
  const { hooks } = parseHooks(document, 'acme.tools', 'hooks/hooks.json');
  return trustHash(root, { hooks, mcpServers: [] });
}

function hashOfServers(...mcpServers: object[]): Promise<string> {
  return trustHash(root, { hooks: [], mcpServers });
}
