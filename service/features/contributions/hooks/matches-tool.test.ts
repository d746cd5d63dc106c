import { describe, expect, test } from 'vitest';
import { matchesTool } from './matches-tool.ts';

/** Aliases that tools declare. */
const aliases = new Map([
  ['execute_command', ['Bash', 'Shell', 'shell']],
  ['web_fetch', ['WebFetch']],
  ['web_search', ['WebSearch']],
]);
const named = (name: string) => ({ name, aliases: aliases.get(name) });

describe('matchers', () => {
  test.each<[string | null, string, boolean]>([
    [null, 'execute_command', true],
    ['', 'anything', true],
    ['*', 'anything', true],
    ['.*', 'anything', true],
    ['Bash', 'execute_command', true],
    ['Shell', 'execute_command', true],
    ['shell', 'execute_command', true],
    ['bash', 'execute_command', false],
    ['execute_command', 'execute_command', true],
    ['execute', 'execute_command', false],
    ['execute.*', 'execute_command', true],
    ['Write|Edit | Bash', 'execute_command', true],
    ['Write,Bash', 'execute_command', true],
    ['Edit|Write|MultiEdit', 'execute_command', false],
    ['Bash', 'web_fetch', false],
    ['WebFetch', 'web_fetch', true],
    ['Web(Fetch|Search)', 'web_search', true],
    ['^Bash$', 'execute_command', true],
    ['Ba', 'execute_command', false],
    ['^Ba', 'execute_command', true],
    ['|', 'execute_command', false],
    ['mcp__.*acme.*', 'mcp__acme__gate', true],
    ['mcp__.*acme.*', 'mcp__other__gate', false],
    ['mcp__memory', 'mcp__memory__store', false],
    ['mcp__memory__.*', 'mcp__memory__store', true],
    ['mcp__plugin_acme_memory__store', 'mcp__memory__store', true],
    ['mcp__plugin_acme_my_memory__store', 'mcp__my_memory__store', true],
    ['mcp__plugin_acme_memory__store', 'mcp__other__store', false],
    ['mcp__plugin_acme_memory__store', 'store', false],
    ['^mcp__plugin_acme_memory__.*$', 'mcp__memory__a__b', true],
    ['^mcp__plugin_acme_memory__.*$', 'mcp__other__x', false],
    ['mcp__plugin_acme.*', 'mcp__memory__store', true],
    ['mcp__plugin_.*__(get|store)', 'mcp__memory__store', true],
    ['(Bash', 'execute_command', false],
    ['constructor', 'execute_command', false],
  ])('%s and the tool %s: %s', (matcher, tool, expected) => {
    expect(matchesTool(matcher, named(tool))).toBe(expected);
  });

  test('a tool without aliases is matched only by its own name', () => {
    expect(matchesTool('Bash', { name: 'execute_command' })).toBe(false);
    expect(matchesTool('execute_command', { name: 'execute_command' })).toBe(true);
  });

  test('a matcher with catastrophic backtracking is evaluated quickly', () => {
    const started = performance.now();
    expect(matchesTool('(a+)+$', named(`${'a'.repeat(50_000)}!`))).toBe(false);
    expect(matchesTool('(a|aa)+$', named(`${'a'.repeat(20_000)}!`))).toBe(false);
    expect(matchesTool('^(([a-z])+.)+[A-Z]([a-z])+$', named('a'.repeat(5_000)))).toBe(false);
    const seconds = (performance.now() - started) / 1_000;
    // A backtracking engine would never finish; a slow machine needs a second.
    expect(seconds).toBeLessThan(5);
  });
});

describe('expressions', () => {
  const devServer = 'tool == "Bash" && tool_input.command matches "(npm run dev|pnpm( run)? dev)"';
  const documents =
    'tool == "Write" && tool_input.file_path matches "\\\\.(md|txt)$" && !(tool_input.file_path matches "README\\\\.md")';

  test.each<[string, string, Record<string, unknown>, boolean]>([
    [devServer, 'execute_command', { command: 'cd x && npm run dev' }, true],
    [devServer, 'execute_command', { command: 'npm test' }, false],
    [devServer, 'web_fetch', { command: 'npm run dev' }, false],
    [devServer, 'execute_command', {}, false],
    [documents, 'Write', { file_path: 'docs/x.md' }, true],
    [documents, 'Write', { file_path: 'README.md' }, false],
    [documents, 'Write', { file_path: 'xmd' }, false],
    ['tool == "Bash"', 'execute_command', {}, true],
    ["tool_name != 'Bash'", 'execute_command', {}, false],
    ['tool != "Bash"', 'web_fetch', {}, true],
    ['tool matches "^Web"', 'web_search', {}, true],
    ['tool_input.url contains "intranet"', 'web_fetch', { url: 'http://intranet/x' }, true],
    ['tool_input.command matches "git\\s+push"', 'execute_command', { command: 'git  push' }, true],
    ['tool_input.a.b == "1"', 'x', { a: { b: 1 } }, true],
    ['tool_input.constructor.name == "Object"', 'x', {}, false],
    ['tool == "a" || tool == "b" && tool == "c"', 'a', {}, true],
    ['(tool == "a" || tool == "b") && tool == "c"', 'a', {}, false],
    ['!(tool == "a") && !!(tool == "b")', 'b', {}, true],
    ['tool == "say \\"hi\\""', 'say "hi"', {}, true],
  ])('%s and %s %j: %s', (matcher, tool, args, expected) => {
    expect(matchesTool(matcher, named(tool), args)).toBe(expected);
  });

  test('fire if they are undecidable without the arguments, and only then', () => {
    expect(matchesTool(devServer, named('execute_command'))).toBe(true);
    expect(matchesTool(devServer, named('web_fetch'))).toBe(false);
    expect(matchesTool(documents, named('Write'))).toBe(true);
  });

  test('a command too long to search fires the hook, whose script receives all of it', () => {
    const command = `${'x'.repeat(200_000)} npm test`;
    expect(matchesTool(devServer, named('execute_command'), { command })).toBe(true);
  });

  test.each([
    'tool == Bash',
    'tool == "Bash" &&',
    'tool == "Bash" and tool == "x"',
    '(tool == "Bash"',
    'tool == "Bash")',
    'tool == "Bash" tool == "x"',
    'tool matches "("',
    'tool_output.x == "1" && tool == "Bash"',
    `${'('.repeat(900)}tool == "a"${')'.repeat(900)}`,
    'tool == "Bash" ; rm',
  ])('%s is not a valid expression and never fires', (matcher) => {
    expect(matchesTool(matcher, named('execute_command'), {})).toBe(false);
  });
});
