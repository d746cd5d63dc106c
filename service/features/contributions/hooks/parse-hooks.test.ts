import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { withUniqueNames } from './hook-names.ts';
import { parseHooks } from './parse-hooks.ts';

const samples = new URL('../../../testing/hooks/', import.meta.url);

/** Of each hook: the end of its name (without its digest), event, and why it does not run. */
type Expected = [name: string, event: string, problem?: 'event' | 'type' | 'if' | 'command'];

const problems = {
  event: /^This host has no event “/,
  type: /^Hooks of the type “(prompt|mcp_tool|agent)” do not run/,
  if: /^It has an `if` condition/,
  command: /^It names no command/,
};

const files: Record<string, Expected[]> = {
  '01-neg-codex-fractional-timeout.json': [['run-complete-stop', 'run_complete']],
  '03-neg-codex-missing-command.json': [['run-complete', 'run_complete', 'command']],
  '05-pos-claude-settings-all-events-all-types.json': [
    ['config-change', 'ConfigChange', 'event'],
    ['directory-added-on-dir-added', 'DirectoryAdded', 'event'],
    ['elicitation', 'Elicitation', 'event'],
    ['elicitation-result', 'ElicitationResult', 'event'],
    ['instructions-loaded', 'InstructionsLoaded', 'event'],
    ['notification', 'Notification', 'event'],
    ['notification', 'Notification', 'event'],
    ['permission-denied', 'PermissionDenied', 'event'],
    ['permission-request', 'PermissionRequest', 'event'],
    ['post-compact', 'PostCompact', 'event'],
    ['post-tool-batch', 'PostToolBatch', 'event'],
    ['post-tool-use', 'post_tool_use'],
    ['post-tool-use', 'post_tool_use', 'type'],
    ['post-tool-use', 'post_tool_use', 'type'],
    ['post-tool-use-failure', 'post_tool_use_failure'],
    ['pre-compact', 'PreCompact', 'event'],
    ['pre-tool-use', 'pre_tool_use'],
    ['pre-tool-use', 'pre_tool_use'],
    ['session-end', 'SessionEnd', 'event'],
    ['session-start', 'SessionStart', 'event'],
    ['setup', 'Setup', 'event'],
    ['run-complete', 'run_complete', 'type'],
    ['subagent-start', 'SubagentStart', 'event'],
    ['subagent-stop', 'SubagentStop', 'event'],
    ['task-completed', 'TaskCompleted', 'event'],
    ['task-created', 'TaskCreated', 'event'],
    ['teammate-idle', 'TeammateIdle', 'event'],
    ['user-prompt-expansion', 'UserPromptExpansion', 'event'],
    ['user-prompt-submit', 'UserPromptSubmit', 'event'],
    ['worktree-create', 'WorktreeCreate', 'event'],
    ['worktree-remove', 'WorktreeRemove', 'event'],
  ],
  '07-cursor-flat-handlers-camelCase.json': [
    ['session-start-session-start', 'sessionStart', 'event'],
    ['session-end-session-end', 'sessionEnd', 'event'],
    ['before-shell-execution', 'beforeShellExecution', 'event'],
    ['before-shell-execution-before-shell-execution', 'beforeShellExecution', 'event'],
    ['after-shell-execution-after-shell-execution', 'afterShellExecution', 'event'],
    ['after-file-edit-after-file-edit', 'afterFileEdit', 'event'],
    ['before-mcpexecution-before-mcp-execution', 'beforeMCPExecution', 'event'],
    ['after-mcpexecution-after-mcp-execution', 'afterMCPExecution', 'event'],
    ['before-read-file-before-read-file', 'beforeReadFile', 'event'],
    ['before-submit-prompt-before-submit-prompt', 'beforeSubmitPrompt', 'event'],
    ['subagent-start-subagent-start', 'subagentStart', 'event'],
    ['subagent-stop-subagent-stop', 'subagentStop', 'event'],
    ['before-tab-file-read-before-tab-file-read', 'beforeTabFileRead', 'event'],
    ['after-tab-file-edit-after-tab-file-edit', 'afterTabFileEdit', 'event'],
    ['pre-compact-pre-compact', 'preCompact', 'event'],
    ['run-complete-stop', 'run_complete'],
  ],
  '09-description-plus-events-docs-not-hooks.json': [],
  '11-python-all-four-events.json': [
    ['pre-tool-use-pretooluse', 'pre_tool_use'],
    ['post-tool-use-posttooluse', 'post_tool_use'],
    ['run-complete-stop', 'run_complete'],
    ['user-prompt-submit-userpromptsubmit', 'UserPromptSubmit', 'event'],
  ],
  '13-security-guidance-old.json': [
    ['session-start-ensure-agent-sdk', 'SessionStart', 'event'],
    ['user-prompt-submit-security-reminder-hook', 'UserPromptSubmit', 'event'],
    ['post-tool-use-security-reminder-hook', 'post_tool_use'],
    ['post-tool-use-security-reminder-hook', 'post_tool_use', 'if'],
    ['post-tool-use-security-reminder-hook', 'post_tool_use', 'if'],
    ['run-complete-security-reminder-hook', 'run_complete'],
  ],
  '15-regex-matcher-UserPromptExpansion.json': [
    ['user-prompt-expansion-banner-hook', 'UserPromptExpansion', 'event'],
  ],
  '17-claude-codex-mixed-subagent.json': [
    ['session-start-babok-activate', 'SessionStart', 'event'],
    ['session-end-babok-deactivate', 'SessionEnd', 'event'],
    ['subagent-start-babok-activate', 'SubagentStart', 'event'],
    ['pre-tool-use-babok-gate', 'pre_tool_use'],
    ['post-tool-use-babok-quality-gate', 'post_tool_use'],
  ],
  '19-codex-variant-of-hooks.json': [
    ['session-start', 'SessionStart', 'event'],
    ['session-start-on-session-start', 'SessionStart', 'event'],
    ['post-tool-use-loop-guard', 'post_tool_use'],
    ['subagent-stop-on-stop', 'SubagentStop', 'event'],
    ['run-complete-on-stop', 'run_complete'],
  ],
  '21-boss-skill-claude-notification-subagent.json': [
    ['session-start', 'SessionStart', 'event'],
    ['session-resume', 'SessionStart', 'event'],
    ['pre-write-artifact-guard', 'pre_tool_use'],
    ['pre-bash-dangerous-cmd-guard', 'pre_tool_use'],
    ['post-write-artifact-track', 'post_tool_use'],
    ['post-bash-context', 'post_tool_use'],
    ['subagent-start', 'SubagentStart', 'event'],
    ['subagent-stop', 'SubagentStop', 'event'],
    ['post-stage-wip-checkpoint', 'SubagentStop', 'event'],
    ['stop-pipeline-guard', 'run_complete'],
    ['notification-log', 'Notification', 'event'],
    ['session-end', 'SessionEnd', 'event'],
  ],
  '23-windows-commandWindows.json': [
    ['session-start-anchor-session', 'SessionStart', 'event'],
    ['user-prompt-submit-maintain-mode', 'UserPromptSubmit', 'event'],
    ['session-end-report-trajectory', 'SessionEnd', 'event'],
  ],
  '25-protect-mcp-exec-form.json': [
    ['pre-tool-use', 'pre_tool_use'],
    ['post-tool-use', 'post_tool_use'],
  ],
  '27-expression-matchers-2026-01.json': [
    ...Array.from({ length: 4 }, (): Expected => ['pre-tool-use', 'pre_tool_use']),
    ...Array.from({ length: 4 }, (): Expected => ['post-tool-use', 'post_tool_use']),
    ['run-complete', 'run_complete'],
  ],
  '29-unrelated-tool-hooks-empty-list.json': [],
  '31-1password-agent-hooks-quoted-root.json': [['pre-tool-use-run-hook', 'pre_tool_use']],
};

describe('hooks files of the field', () => {
  test.each(Object.entries(files))('%s is read as it is meant', async (file, expected) => {
    const { hooks, warnings } = await parsed(file);
    expect(hooks.map(({ name }) => name.replace(/-[0-9a-f]{8}(-\d)?$/, ''))).toEqual(
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
    const unrelated = [{ part: 'hooks/hooks.json', reason: 'holds no hooks' }];
    expect(warnings).toEqual(expected.length === 0 ? unrelated : []);
  });

  test('every sample is in the table', async () => {
    const names = await readdir(samples);
    expect(names.filter((name) => name.endsWith('.json')).sort()).toEqual(Object.keys(files));
  });

  test('time limits, matchers and addresses come as written', async () => {
    expect((await parsed('01-neg-codex-fractional-timeout.json')).hooks[0]?.timeoutSeconds).toBe(
      0.5,
    );
    const { hooks } = await parsed('05-pos-claude-settings-all-events-all-types.json');
    expect(hooks[6]).toMatchObject({
      type: 'http',
      url: 'http://localhost:8080/hooks/notification',
      timeoutSeconds: 15,
      enabled: true,
    });
    expect(hooks.find(({ event }) => event === 'SessionStart')?.args).toHaveLength(3);
    expect(hooks.find(({ event }) => event === 'pre_tool_use')?.matcher).toBe('Write');
    const guard = (await parsed('13-security-guidance-old.json')).hooks[2];
    expect(guard).toMatchObject({
      matcher: 'Edit|Write|MultiEdit|NotebookEdit',
      timeoutSeconds: 60,
    });
  });

  test('the command of the platform is taken where there is one', async () => {
    const onWindows = await parsed('17-claude-codex-mixed-subagent.json', 'win32');
    expect(onWindows.hooks[3]?.command).toContain('Get-Command node');
    const elsewhere = await parsed('17-claude-codex-mixed-subagent.json', 'darwin');
    expect(elsewhere.hooks[3]?.command).toBe('node "${CLAUDE_PLUGIN_ROOT}/hooks/babok-gate.cjs"');
  });
});

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
    ['nothing', null, 'f', 'is no list and no object'],
    ['a text', 'hooks', 'f', 'is no list and no object'],
    ['another file', { name: 'x', scripts: { a: 'b' } }, 'f', 'holds no hooks'],
    ['a schema', { $schema: 'x', $defs: {}, oneOf: [{ type: 'object' }] }, 'f', 'holds no hooks'],
    ['hooks of text', { hooks: './hooks.json' }, 'f hooks', 'is no list and no object'],
    [
      'an event that is no list',
      { hooks: { SessionStart: {} } },
      'f hooks.SessionStart',
      'is no list',
    ],
    ['a group of text', { hooks: { Stop: ['./x'] } }, 'f hooks.Stop[0]', 'is no object'],
    ['a group of nothing', { hooks: { Stop: [{ x: 1 }] } }, 'f hooks.Stop[0]', 'holds no hooks'],
    [
      'a handler of text',
      { hooks: { Stop: [{ hooks: ['x'] }] } },
      'f hooks.Stop[0].hooks[0]',
      'is no object',
    ],
    ['a hook without event', [{ command: 'x' }], 'f [0]', 'names no event'],
    ['a prototype', JSON.parse('{"hooks":{"__proto__":1}}'), 'f hooks.__proto__', 'is no list'],
  ])('%s gives no hooks and one warning', (_what, document, part, reason) => {
    expect(parseHooks(document, 'acme.tools', 'f')).toEqual({
      hooks: [],
      warnings: [{ part, reason }],
    });
  });

  test('more hooks than a person can read are left out with a warning', () => {
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
    ['an empty command', { command: ' ' }, /no command/],
    ['a command with NUL', { command: 'a\0b' }, /no process/],
    ['an endless command', { command: 'x'.repeat(40_000) }, /longer than 32768/],
    ['arguments that are no texts', { args: [1] }, /no list of texts/],
    [
      'a root variable of another tool',
      { command: '"${OTHER_PLUGIN_ROOT}"/x.sh' },
      /OTHER_PLUGIN_ROOT/,
    ],
    ['another protocol', { type: 'http', url: 'file:///etc/passwd' }, /http or https/],
    ['no address', { type: 'http' }, /http or https/],
    ['headers', { type: 'http', url: 'http://a.test', headers: { A: 'b' } }, /headers/],
    ['a matcher that is no text', { matcher: { tool: 'Bash' } }, /no text/],
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

  test('its author can switch it off, alone or with its group', () => {
    expect(one({ enabled: false })?.enabled).toBe(false);
    expect(one({ disabled: true })?.enabled).toBe(false);
    const { hooks } = parseHooks(
      { hooks: { Stop: [{ enabled: false, hooks: [{ command: 'x' }] }] } },
      'a',
      'f',
    );
    expect(hooks[0]?.enabled).toBe(false);
  });

  test('one that wants to deny when it fails says so', () => {
    const { hooks } = parseHooks([{ event: 'Stop', command: 'x', failClosed: true }], 'a', 'f');
    expect(hooks[0]).toMatchObject({ failClosed: true, supported: true });
  });
});

describe('names', () => {
  const stop = (command: string): object => ({ event: 'Stop', command });

  test('are found in no time, however long the command is', () => {
    const command = 'a'.repeat(4_000);
    const hooks = Array.from({ length: 250 }, (_, index) => stop(`${command} ${index}`));
    const began = performance.now();
    expect(parseHooks(hooks, 'p', 'f').hooks).toHaveLength(250);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('[HOOK-03] stay the same when another hook comes before', () => {
    const before = parseHooks([stop('sh a.sh')], 'acme.tools', 'f').hooks;
    const after = parseHooks([stop('sh b.sh'), stop('sh a.sh')], 'acme.tools', 'f').hooks;
    expect(before[0]?.name).toMatch(/^plugin\/acme\.tools\/run-complete-a-/);
    expect(after[1]?.name).toBe(before[0]?.name);
  });

  test('are the ones of their author where these can be names, and never twice the same', () => {
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
    const { hooks } = parseHooks([{ ...stop('x'), name: 'a' }], 'p', 'f');
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

async function parsed(file: string, platform: NodeJS.Platform = 'linux') {
  const document: unknown = JSON.parse(await readFile(new URL(file, samples), 'utf8'));
  return parseHooks(document, 'acme.tools', 'hooks/hooks.json', platform);
}
