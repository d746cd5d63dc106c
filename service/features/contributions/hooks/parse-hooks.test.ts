import { describe, expect, test } from 'vitest';
import { type InEnglish, inEnglish } from '../../../testing/in-english.ts';
import { type HookDocument, hookDocuments } from '../../../testing/hook-documents.ts';
import { hookSets } from '../../../testing/hook-sets.ts';
import { isFields } from './plugin-hook.ts';
import { withUniqueNames } from './hook-names.ts';
import { parseHooks as parse } from './parse-hooks.ts';

const parseHooks = (...written: Parameters<typeof parse>): InEnglish<ReturnType<typeof parse>> =>
  inEnglish(parse(...written));

const problems = {
  event: /^This host has no event “/,
  type: /^Hooks of the type “(prompt|mcp_tool|agent)” do not run/,
  if: /^It has an `if` condition/,
  command: /^It does not specify a command/,
};

const nameOf = (name: string): string => name.replace(/-[0-9a-f]{8}(-\d)?$/, '');

describe('a hooks file', () => {
  test.each(Object.entries(hookDocuments))(
    'with %s is parsed as its format defines',
    (_, sample) => {
      const { hooks, warnings } = parsed(sample);
      const { expected } = sample;
      expect(hooks.map(({ name }) => nameOf(name))).toEqual(
        expected.map(([name]) => `plugin/acme.tools/${name}`),
      );
      expect(new Set(hooks.map(({ name }) => name)).size).toBe(hooks.length);
      expect(hooks.map(({ event }) => event)).toEqual(expected.map(([, event]) => event));
      hooks.forEach((hook, index) => {
        const problem = expected[index]?.[2];
        expect(hook.supported).toBe(problem === undefined);
        if (problem === undefined) expect(hook.unsupportedReason).toBeUndefined();
        else expect(hook.unsupportedReason).toMatch(problems[problem]);
      });
      const unrelated = [{ part: 'hooks/hooks.json', reason: 'has no hooks' }];
      expect(warnings).toEqual(expected.length === 0 ? unrelated : []);
    },
  );

  test('keeps time limits, matchers, addresses and arguments', () => {
    expect(parsed('a fractional time limit').hooks[0]?.timeoutSeconds).toBe(0.5);
    const { hooks } = parsed('settings with events and types that other tools have');
    expect(hooks.find(({ type }) => type === 'http')).toMatchObject({
      event: 'Notification',
      url: 'http://127.0.0.1:9100/notes',
      timeoutSeconds: 15,
      enabled: true,
    });
    expect(hooks.find(({ event }) => event === 'pre_tool_use')?.matcher).toBe('Write');
    expect(parsed('conditions and wake-ups').hooks[0]).toMatchObject({
      matcher: 'Edit|Write|MultiEdit',
      timeoutSeconds: 60,
    });
    expect(parsed('programs with arguments').hooks[1]?.args).toEqual([
      '${CLAUDE_PLUGIN_ROOT}/sign.mjs',
      '--fast',
    ]);
  });

  test('uses the command of the platform if there is one', () => {
    const [windows] = parsed('a command for Windows', 'win32').hooks;
    expect(windows?.command).toContain('Get-Command node');
    const [elsewhere] = parsed('a command for Windows', 'darwin').hooks;
    expect(elsewhere?.command).toBe('node "${CLAUDE_PLUGIN_ROOT}/hooks/gate.cjs"');
  });
});

const mappedEvents = [
  ...['pre_tool_use', 'post_tool_use', 'post_tool_use_failure', 'run_complete', 'run_error'],
];

describe.each(hookSets())('$name: hooks files', ({ documents }) => {
  test.each(Object.entries(documents))('%s contains each handler exactly once', (_, document) => {
    const { hooks, warnings } = parseHooks(document, 'acme.tools', 'f', 'linux');
    const handlers = handlersOf(document);
    expect(hooks).toHaveLength(handlers.length);
    expect(hooks.map(({ command }) => command ?? '')).toEqual(
      handlers.map(({ command }) => command ?? ''),
    );
    expect(warnings).toEqual(handlers.length === 0 ? [{ part: 'f', reason: 'has no hooks' }] : []);
    expect(new Set(hooks.map(({ name }) => name)).size).toBe(hooks.length);
    for (const hook of hooks) {
      expect(hook.supported).toBe(hook.unsupportedReason === undefined);
      if (hook.supported) expect(mappedEvents).toContain(hook.event);
      expect(hook.timeoutSeconds).toBeGreaterThan(0);
      expect(hook.timeoutSeconds).toBeLessThanOrEqual(600);
    }
  });

  test('contain supported and unsupported hooks', () => {
    const all = Object.values(documents).flatMap(
      (document) => parseHooks(document, 'acme.tools', 'f', 'linux').hooks,
    );
    expect(all.filter(({ supported }) => supported).length).toBeGreaterThan(15);
    expect(all.filter(({ supported }) => !supported).length).toBeGreaterThan(15);
  });
});

/**
 * The handlers of `{hooks: {Event: [group or handler]}}`, counted independently of the code under
 * test.
 */
function handlersOf(document: unknown): { command?: string }[] {
  const events = isFields(document) && isFields(document.hooks) ? document.hooks : {};
  return (Object.values(events) as { hooks?: { command?: string }[] }[][]).flatMap((groups) =>
    groups.flatMap((group) => group.hooks ?? [group as { command?: string }]),
  );
}

describe('[HOOK-17] shapes', () => {
  const handler = { type: 'command', command: './x.sh', timeout: 5 };
  const group = { matcher: 'Bash', hooks: [handler] };
  const flat = {
    event: 'pre_tool_use',
    matcher: 'Bash',
    type: 'command',
    command: './x.sh',
    timeoutSeconds: 5,
  };

  test.each<[string, unknown]>([
    ['nested', { hooks: { PreToolUse: [group] } }],
    ['a map of events alone', { description: 'x', version: 1, PreToolUse: [group] }],
    ['handlers without a group', { hooks: { preToolUse: [{ ...handler, matcher: 'Bash' }] } }],
    ['a flat list', [flat]],
    ['a flat list under hooks', { hooks: [flat] }],
    ['a flat list of groups', [{ event: 'PreToolUse', ...group }]],
    ['a list of maps', [{ hooks: { PreToolUse: [group] } }]],
    ['a list of bare maps', [{ PreToolUse: [group] }]],
    [
      'no type',
      { hooks: { PreToolUse: [{ matcher: ['Bash'], hooks: [{ ...handler, type: undefined }] }] } },
    ],
  ])('%s', (_shape, document) => {
    const { hooks, warnings } = parseHooks(document, 'acme.tools', 'hooks/hooks.json');
    expect(warnings).toEqual([]);
    expect(hooks).toEqual([
      {
        name: expect.stringMatching(/^plugin\/acme\.tools\/pre-tool-use-x-[0-9a-f]{8}$/) as string,
        event: 'pre_tool_use',
        matcher: 'Bash',
        type: 'command',
        command: './x.sh',
        timeoutSeconds: 5,
        enabled: true,
        supported: true,
      },
    ]);
  });

  test.each<[string, unknown, string, string]>([
    ['nothing', null, 'f', 'is neither a list nor an object'],
    ['a text', 'hooks', 'f', 'is neither a list nor an object'],
    ['another file', { name: 'x', scripts: { a: 'b' } }, 'f', 'has no hooks'],
    ['a schema', { $schema: 'x', $defs: {}, oneOf: [{ type: 'object' }] }, 'f', 'has no hooks'],
    ['hooks of text', { hooks: './hooks.json' }, 'f hooks', 'is neither a list nor an object'],
    [
      'an event that is not a list',
      { hooks: { SessionStart: {} } },
      'f hooks.SessionStart',
      'is not a list',
    ],
    ['a group of text', { hooks: { Stop: ['./x'] } }, 'f hooks.Stop[0]', 'is not an object'],
    ['a group of nothing', { hooks: { Stop: [{ x: 1 }] } }, 'f hooks.Stop[0]', 'has no hooks'],
    [
      'a handler of text',
      { hooks: { Stop: [{ hooks: ['x'] }] } },
      'f hooks.Stop[0].hooks[0]',
      'is not an object',
    ],
    ['a hook without event', [{ command: 'x' }], 'f [0]', 'does not specify an event'],
    ['a prototype', JSON.parse('{"hooks":{"__proto__":1}}'), 'f hooks.__proto__', 'is not a list'],
  ])('%s gives no hooks and one warning', (_what, document, part, reason) => {
    expect(parseHooks(document, 'acme.tools', 'f')).toEqual({
      hooks: [],
      warnings: [{ part, reason }],
    });
  });

  test('more hooks than a person can review are left out with a warning', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ ...flat, command: `x ${index}` }));
    const { hooks, warnings } = parseHooks(many, 'acme.tools', 'f');
    expect(hooks).toHaveLength(1_000);
    expect(warnings).toEqual([
      { part: 'f', reason: expect.stringContaining('more than 1000') as string },
    ]);
  });
});

describe('one hook', () => {
  test.each<[string, object, RegExp]>([
    ['a condition', { if: 'Bash(git *)' }, /`if` condition/],
    ['variables', { env: { A: 'b' } }, /`env`/],
    ['a folder', { cwd: 'scripts' }, /`cwd`/],
    ['PowerShell', { shell: 'powershell' }, /shell/],
    ['an unknown type', { type: 'wasm' }, /type “wasm”/],
    ['an empty command', { command: ' ' }, /does not specify a command/],
    ['a command with NUL', { command: 'a\0b' }, /cannot be passed to a process/],
    ['an endless command', { command: 'x'.repeat(40_000) }, /longer than 32768/],
    ['arguments that are no texts', { args: [1] }, /not a list of texts/],
    [
      'a root variable of another tool',
      { command: '"${OTHER_PLUGIN_ROOT}"/x.sh' },
      /OTHER_PLUGIN_ROOT/,
    ],
    ['another protocol', { type: 'http', url: 'file:///etc/passwd' }, /http or https/],
    ['no address', { type: 'http' }, /http or https/],
    ['headers', { type: 'http', url: 'http://a.test', headers: { A: 'b' } }, /headers/],
    ['a matcher that is not text', { matcher: { tool: 'Bash' } }, /not text/],
    ['a broken matcher', { matcher: '(Bash' }, /regular expression/],
    ['a matcher that looks ahead', { matcher: '^(?!Bash)' }, /RE2/],
    ['a back reference', { matcher: '(a)\\1' }, /RE2/],
    ['a broken expression', { matcher: 'tool == "Bash" &&' }, /expression/],
    ['an endless matcher', { matcher: 'a'.repeat(3_000) }, /longer than 2000/],
  ])('with %s is kept but not supported', (_what, fields, reason) => {
    const hook = one(fields);
    expect(hook).toMatchObject({ supported: false });
    expect(hook?.unsupportedReason).toMatch(reason);
  });

  test.each<[string, object]>([
    ['a matcher of an event without tools', { event: 'Stop', matcher: '(' }],
    [
      'keys that mean nothing here',
      { async: true, statusMessage: 'x', once: true, env: {}, if: '' },
    ],
    ['bash as its shell', { shell: 'bash' }],
    ['a root variable of another tool with a default', { command: '${A_PLUGIN_ROOT:-.}/x.sh' }],
    [
      'a root variable that it sets itself',
      { command: 'A_PLUGIN_ROOT=. sh -c "$A_PLUGIN_ROOT/x"' },
    ],
    ['an address', { type: 'http', command: undefined, url: 'https://a.test/x' }],
  ])('with %s is supported', (_what, fields) => {
    expect(one(fields)).toMatchObject({ supported: true });
  });

  test.each<[unknown, number]>([
    [{}, 60],
    [{ timeout: 0.5 }, 0.5],
    [{ timeout: 30 }, 30],
    [{ timeout: 900 }, 600],
    [{ timeout: 5_000 }, 5],
    [{ timeout: 1_000 }, 1],
    [{ timeout: 999_999_999 }, 600],
    [{ timeoutSeconds: 1_000 }, 600],
    [{ timeoutSeconds: 7, timeout: 9 }, 7],
    [{ timeout: 0 }, 60],
    [{ timeout: -5 }, 60],
    [{ timeout: Number.NaN }, 60],
    [{ timeout: '10' }, 60],
  ])('%j waits for %d seconds', (fields, seconds) => {
    expect(one(fields as object)?.timeoutSeconds).toBe(seconds);
  });

  test('a command that is a list is a program with arguments', () => {
    expect(one({ command: ['node', 'x.js'], args: ['y'] })).toMatchObject({
      command: 'node',
      args: ['x.js', 'y'],
      supported: true,
    });
  });

  test('its author can disable it, alone or with its group', () => {
    expect(one({ enabled: false })?.enabled).toBe(false);
    expect(one({ disabled: true })?.enabled).toBe(false);
    const { hooks } = parseHooks(
      { hooks: { Stop: [{ enabled: false, hooks: [{ command: 'x' }] }] } },
      'a',
      'f',
    );
    expect(hooks[0]?.enabled).toBe(false);
  });

  test('a hook that denies on failure declares it', () => {
    const { hooks } = parseHooks([{ event: 'Stop', command: 'x', failClosed: true }], 'a', 'f');
    expect(hooks[0]).toMatchObject({ failClosed: true, supported: true });
  });
});

describe('names', () => {
  const stop = (command: string): object => ({ event: 'Stop', command });

  test('are found quickly, however long the command is', () => {
    const command = 'a'.repeat(4_000);
    const hooks = Array.from({ length: 250 }, (_, index) => stop(`${command} ${index}`));
    const startedAt = performance.now();
    expect(parseHooks(hooks, 'p', 'f').hooks).toHaveLength(250);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('[HOOK-03] do not change when another hook is added before', () => {
    const before = parseHooks([stop('sh a.sh')], 'acme.tools', 'f').hooks;
    const after = parseHooks([stop('sh b.sh'), stop('sh a.sh')], 'acme.tools', 'f').hooks;
    expect(before[0]?.name).toMatch(/^plugin\/acme\.tools\/run-complete-a-/);
    expect(after[1]?.name).toBe(before[0]?.name);
  });

  test("are the author's names if they are valid, and unique", () => {
    const hooks = parseHooks(
      [
        { ...stop('x'), name: 'Check It!' },
        { ...stop('y'), name: 'plugin/other/check-it' },
        { ...stop('z'), name: 'check-it' },
        { ...stop('z'), name: '!!' },
      ],
      'acme.tools',
      'f',
    ).hooks.map(({ name }) => name.slice('plugin/acme.tools/'.length));
    expect(hooks.slice(0, 3)).toEqual(['check-it', 'plugin-other-check-it', 'check-it-2']);
    expect(hooks[3]).toMatch(/^run-complete-[0-9a-f]{8}$/);
  });

  test('of several documents are made unique together', () => {
    const { hooks } = parse([{ ...stop('x'), name: 'a' }], 'p', 'f');
    expect(withUniqueNames([...hooks, ...hooks, ...hooks]).map(({ name }) => name)).toEqual([
      'plugin/p/a',
      'plugin/p/a-2',
      'plugin/p/a-3',
    ]);
  });
});

function one(fields: object) {
  const hook = { event: 'PreToolUse', type: 'command', command: 'x', ...fields };
  return parseHooks([hook], 'acme.tools', 'f').hooks[0];
}

function parsed(sample: string | HookDocument, platform: NodeJS.Platform = 'linux') {
  const { document } =
    typeof sample === 'string' ? (hookDocuments[sample] ?? { document: null }) : sample;
  return parseHooks(document, 'acme.tools', 'hooks/hooks.json', platform);
}
