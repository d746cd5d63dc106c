import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aCall, commandHook, nobody, runnerOf } from '../../../testing/hook-runner.ts';
import { pluginFolder } from '../../../testing/plugin-folder.ts';
import { isAlive } from '../../../testing/workers/is-alive.ts';
import type { HookCall, HookOutcome, RunnableHook } from './hook-runner.ts';
import { englishText } from '../../../testing/english-text.ts';

const isLinux = process.platform === 'linux';

async function run(
  command: string,
  more: Partial<RunnableHook> = {},
  call: Partial<HookCall> = {},
): Promise<HookOutcome> {
  const { runner } = await runnerOf([commandHook(command, more)]);
  return runner.run(aCall({ event: more.event ?? 'pre_tool_use', ...call }), nobody);
}

/** Runs the hook and returns the payload that it received on stdin. */
async function receivedPayload(
  more: Partial<RunnableHook> = {},
  call: Partial<HookCall> = {},
): Promise<Record<string, unknown>> {
  const { runner, workspace } = await runnerOf([commandHook('cat > heard.json', more)]);
  await runner.run(aCall({ event: more.event ?? 'pre_tool_use', ...call }), nobody);
  return JSON.parse(await readFile(join(workspace, 'heard.json'), 'utf8')) as Record<
    string,
    unknown
  >;
}

const print = (document: unknown, code = 0): string =>
  `printf '%s' '${JSON.stringify(document)}'; exit ${code}`;
const special = (permissionDecision: string, more: object = {}): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
});
const warning = (message: RegExp): HookOutcome['warnings'] => [
  { hook: 'guard', message: englishText(message) },
];

describe('the input of a command hook', () => {
  it('[HOOK-09] is the event as JSON on stdin, in the format of this host and of similar programs', async () => {
    const call = { runId: 'run-1', permissionMode: 'full-access', cwd: '/somewhere' } as const;
    expect(await receivedPayload({}, call)).toEqual({
      event: 'pre_tool_use',
      tool: 'execute_command',
      arguments: { command: 'git push' },
      effect: 'execute',
      callId: 'call-1',
      runId: 'run-1',
      conversationId: 'conversation-1',
      cwd: '/somewhere',
      hook_event_name: 'PreToolUse',
      session_id: 'conversation-1',
      transcript_path: '',
      permission_mode: 'bypassPermissions',
      tool_name: 'execute_command',
      tool_input: { command: 'git push' },
      tool_use_id: 'call-1',
    });
  });

  it('contains the result after a tool call, and the error after a failure', async () => {
    const result = { exitCode: 0, stdout: 'grüße' };
    expect(await receivedPayload({ event: 'post_tool_use' }, { result })).toMatchObject({
      hook_event_name: 'PostToolUse',
      result,
      tool_response: result,
    });
    expect(
      await receivedPayload({ event: 'post_tool_use_failure' }, { error: 'Broken.' }),
    ).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
      error: 'Broken.',
    });
  });

  it('contains no tool at the end of a run', async () => {
    const ended = { tool: undefined, arguments: undefined, callId: undefined, effect: undefined };
    const complete = await receivedPayload({ event: 'run_complete' }, { ...ended, runId: 'run-1' });
    expect(complete).toMatchObject({ event: 'run_complete', hook_event_name: 'Stop' });
    expect(Object.keys(complete)).not.toContain('tool_name');
    expect(await receivedPayload({ event: 'run_error' }, { ...ended, error: 'No.' })).toMatchObject(
      {
        hook_event_name: 'StopFailure',
        error: 'No.',
      },
    );
  });

  it.each([
    ['Bash', 'Bash'],
    ['Write|Bash', 'Bash'],
    ['run_shell.*', 'run_shell_command'],
    ['tool == "Bash" && tool_input.command matches "push"', 'Bash'],
    ['execute_command', 'execute_command'],
    ['execute_command|Bash', 'execute_command'],
    ['*', 'execute_command'],
    ['.*', 'execute_command'],
  ])('names the tool as the user’s matcher %s does: %s', async (matcher, name) => {
    expect(await receivedPayload({ matcher })).toMatchObject({
      tool: 'execute_command',
      tool_name: name,
    });
  });

  it.each([null, '*', '.*', 'Bash', 'execute_command|Bash'])(
    'names the tool as other programs do for a plugin’s hook with the matcher %s',
    async (matcher) => {
      const data = join(await pluginFolder({ 'x.txt': 'x' }), 'data');
      const plugin = { root: data, data, settings: {} };
      expect(await receivedPayload({ matcher, plugin })).toMatchObject({ tool_name: 'Bash' });
    },
  );

  it('is truncated if a result is longer than 1 MiB, but the arguments never are', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const payload = await receivedPayload(
      { event: 'post_tool_use' },
      { result: { text: long }, arguments: { command: long } },
    );
    expect(String(payload.result).length).toBeLessThan(1.1 * 1024 * 1024);
    expect(payload.result).toMatch(/… \(\d+ more characters\)$/);
    expect(payload.tool_input).toEqual({ command: long });
  });

  it('does not have to be read: 5 MB of arguments for a hook that only exits', async () => {
    const outcome = await run('exit 0', {}, { arguments: { command: 'x'.repeat(5_000_000) } });
    expect(outcome).toEqual({ decision: 'none', warnings: [] });
  });
});

describe('the environment of a command hook', () => {
  it('is the workspace and a clean set of variables without secrets (W-07)', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-secret-1');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'sk-secret-2');
    vi.stubEnv('HOST_MACHINE_KEY', 'sk-secret-3');
    vi.stubEnv('HOST_AUTH_TOKEN', 'sk-secret-4');
    vi.stubEnv('NODE_OPTIONS', '--title=sk-secret-5');
    try {
      const { runner, workspace } = await runnerOf([commandHook('pwd > place; env > env')]);
      await runner.run(aCall(), nobody);
      expect((await readFile(join(workspace, 'place'), 'utf8')).trim()).toBe(workspace);
      const found = await readFile(join(workspace, 'env'), 'utf8');
      expect(found).not.toMatch(/sk-secret|NODE_OPTIONS|TOKEN|KEY/);
      expect(found).toMatch(/^PATH=.+$/m);
      expect(found).toMatch(/^HOST_HOOK_EVENT=pre_tool_use$/m);
      expect(found).toMatch(/^PYTHONDONTWRITEBYTECODE=1$/m);
      expect(found).toContain(`CLAUDE_PROJECT_DIR=${workspace}\n`);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('[HOOK-19] [HOOK-20] for a plugin is its folder and the variables for its folders', async () => {
    const root = await pluginFolder({ 'hooks/guard.sh': 'pwd; env' });
    const data = join(root, '..', `${root.split('/').at(-1) ?? ''}-data`);
    const variables = { HOST_PLUGIN_ROOT: root, HOST_PLUGIN_DATA: data };
    const { runner } = await runnerOf([]);
    const tested = await runner.test(
      commandHook('sh "${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"; rmdir "$HOST_PLUGIN_DATA"', {
        cwd: root,
        variables,
        plugin: { root, data, settings: {} },
      }),
    );
    expect(tested.stderr).toBe('');
    expect(tested.stdout.split('\n')[0]).toBe(root);
    expect(tested.stdout).toContain(`HOST_PLUGIN_ROOT=${root}\n`);
    expect(tested.stdout).toContain(`HOST_PLUGIN_DATA=${data}\n`);
  });

  it.each(['my plugin', "it's", 'a"b', '$HOME', 'a;b'])(
    'of a plugin in a folder called %s lets it run its scripts, quoted or not',
    async (name) => {
      const root = join(
        await pluginFolder({ [`${name}/guard.sh`]: 'echo "in $1" >&2; exit 2' }),
        name,
      );
      const plugin = { root, data: join(root, 'data'), settings: {} };
      const variables = { CLAUDE_PLUGIN_ROOT: root };
      const more = { cwd: root, variables, plugin };
      expect(await run('sh "${CLAUDE_PLUGIN_ROOT}/guard.sh" 1', more)).toMatchObject({
        decision: 'deny',
        reason: 'in 1',
      });
      for (const command of [
        'sh ${CLAUDE_PLUGIN_ROOT}/guard.sh 1',
        "X='a\\' sh $CLAUDE_PLUGIN_ROOT/guard.sh 1",
        'X="\\"" sh $CLAUDE_PLUGIN_ROOT/guard.sh 1',
        'sh -c \'sh "$CLAUDE_PLUGIN_ROOT/guard.sh" 1\'',
        'cd "a b" 2>/dev/null || sh ${CLAUDE_PLUGIN_ROOT}/guard.sh "1"',
      ]) {
        expect(await run(command, more), command).toMatchObject({ reason: 'in 1' });
      }
      const args = ['${CLAUDE_PLUGIN_ROOT}/guard.sh', 'a  b'];
      expect(await run('sh', { ...more, args })).toMatchObject({ reason: 'in a  b' });
    },
  );

  it('is a program without a shell if the hook has arguments', async () => {
    const { runner, workspace } = await runnerOf([]);
    const hook = commandHook('printf', { args: ['%s|', 'a b', '$HOME', ';id'] });
    expect(await runner.test(hook)).toMatchObject({ stdout: 'a b|$HOME|;id|', exitCode: 0 });
    await writeFile(join(workspace, 'own.sh'), '#!/bin/sh\necho own', { mode: 0o755 });
    const own = commandHook('./own.sh', { args: [] });
    expect(await runner.test(own)).toMatchObject({ stdout: 'own\n' });
  });

  it('is bash if the hook requests bash', async () => {
    const { runner } = await runnerOf([]);
    const hook = commandHook('[[ abc =~ b ]] && echo "${BASH_VERSION:+bash}"', { shell: 'bash' });
    expect(await runner.test(hook)).toMatchObject({ stdout: 'bash\n', stderr: '', exitCode: 0 });
  });

  it('is bash without the startup files of the user, which might print or wait', async () => {
    const home = await pluginFolder({ '.bashrc': 'echo "started from home"; sleep 600\n' });
    vi.stubEnv('HOME', home);
    try {
      const { runner } = await runnerOf([]);
      for (const hook of [
        commandHook('echo "$HOME"', { shell: 'bash' }),
        commandHook(`bash -c 'echo "$HOME"'`),
        commandHook('bash', { args: ['-c', 'echo "$HOME"'] }),
      ]) {
        expect(await runner.test(hook)).toMatchObject({ stdout: `${home}\n`, exitCode: 0 });
      }
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('the response of a command hook', () => {
  it('[HOOK-11] with exit code 2 denies, with the first line of stderr as the reason', async () => {
    const command = 'echo; echo "Not on Fridays." >&2; echo "more" >&2; exit 2';
    expect(await run(command)).toEqual({
      decision: 'deny',
      reason: 'Not on Fridays.',
      hook: 'guard',
      warnings: [],
    });
  });

  it('with exit code 2 denies with the reason of the document, without a reason, and despite an allow', async () => {
    expect(await run(print({ reason: 'So.' }, 2))).toMatchObject({
      decision: 'deny',
      reason: 'So.',
    });
    expect(await run('exit 2')).toEqual({ decision: 'deny', hook: 'guard', warnings: [] });
    const allow = print({ decision: 'allow', reason: 'Fine.' }, 2);
    expect(await run(`echo Never. >&2; ${allow}`)).toMatchObject({
      decision: 'deny',
      reason: 'Never.',
    });
    expect(await run('echo "{" ; exit 2')).toMatchObject({ decision: 'deny', warnings: [] });
  });

  it.each([0, 1, 2, 3, 127, 255])(
    '[HOOK-12] with a deny document denies with exit code %i',
    async (code) => {
      expect(await run(print({ decision: 'deny', reason: 'No.' }, code))).toEqual({
        decision: 'deny',
        reason: 'No.',
        hook: 'guard',
        warnings: [],
      });
    },
  );

  it.each([
    ['deny', { decision: 'block', reason: 'R' }],
    ['deny', { decision: 'Deny', reason: 'R' }],
    ['deny', special('deny', { permissionDecisionReason: 'R' })],
    ['deny', { ...special('allow'), decision: 'block', reason: 'R' }],
    ['deny', { continue: false, stopReason: 'R' }],
    ['deny', { continue: false, decision: 'approve', reason: 'R' }],
    ['deny', { ...special('deny', { updatedInput: { command: 'ls' } }), reason: 'R' }],
    ['ask', { decision: 'ask', reason: 'R' }],
    ['ask', special('ask', { permissionDecisionReason: 'R' })],
    ['ask', { ...special('defer'), systemMessage: 'R' }],
    ['ask', { ...special('ask'), decision: 'approve', reason: 'R' }],
    ['allow', { decision: 'approve', reason: 'R' }],
    ['allow', special('allow', { permissionDecisionReason: 'R' })],
  ])('decides %s with %j', async (decision, document) => {
    const outcome = { decision, reason: 'R', hook: 'guard', warnings: [] };
    expect(await run(print(document))).toEqual(outcome);
    expect(await run(print(document, 1))).toEqual(outcome);
  });

  it('[HOOK-13] with exit code 0 lets the call continue, whatever is printed besides JSON', async () => {
    const nothing = { decision: 'none', warnings: [] };
    expect(await run('exit 0')).toEqual(nothing);
    expect(await run('echo deny; echo "decision: deny" >&2')).toEqual(nothing);
    expect(await run('echo "[\\"deny\\"]"')).toEqual(nothing);
    expect(await run(print({}))).toEqual(nothing);
    expect(await run(print({ continue: true, suppressOutput: true }))).toEqual(nothing);
    expect(await run(print({ decision: null, reason: 'x' }))).toEqual(nothing);
    expect(await run(print({ decision: 'allow' }))).toMatchObject({ decision: 'allow' });
  });

  it.each([
    ['[HOOK-14] exit code 1', 'echo Oops >&2; exit 1', /^The hook ended with code 1: Oops$/],
    ['another exit code', 'exit 42', /^The hook ended with code 42\.$/],
    ['a missing program', 'no-such-program-here', /not found \(code 127\): .*no-such-program-here/],
    ['a crash', 'kill -SEGV $$', /was ended by SIGSEGV/],
    ['a document that says nothing', print({ suppressOutput: true }, 1), /code 1\.$/],
    ['broken JSON', 'echo "{deny"', /JSON that is not valid/],
    ['an unknown decision', print({ decision: 'perhaps' }), /unknown decision/],
    ['a decision that is no word', print({ decision: true }), /unknown decision/],
    ['another call', print(special('allow', { updatedInput: { command: 'ls' } })), /updatedInput/],
  ])('%s has no effect and gives a warning', async (_what, command, message) => {
    expect(await run(command)).toEqual({ decision: 'none', warnings: warning(message) });
  });

  it('from a missing program has no effect and gives a warning', async () => {
    expect(await run('no-such-program-here', { args: [] })).toEqual({
      decision: 'none',
      warnings: warning(/^The hook could not be started: .*no-such-program-here.*\.$/),
    });
    expect(await run('true', { cwd: '/nonexistent/place' })).toEqual({
      decision: 'none',
      warnings: warning(/working directory is missing\.$/),
    });
  });

  it('has a one-line reason of limited length without terminal control sequences', async () => {
    const colours = `printf '\\033[31mRed\\033[0m\\007 \\342\\200\\256end\\n' >&2; exit 2`;
    expect(await run(colours)).toMatchObject({ reason: 'Red end' });
    const long = await run('head -c 30000 /dev/zero | tr "\\0" x >&2; exit 2');
    expect(long.reason).toHaveLength(10_000);
  });

  it('[HOOK-15] to any other event is only observed', async () => {
    for (const event of [
      'post_tool_use',
      'post_tool_use_failure',
      'run_complete',
      'run_error',
    ] as const) {
      for (const command of [print({ decision: 'deny', reason: 'No.' }), 'echo No. >&2; exit 2']) {
        expect(await run(command, { event })).toEqual({ decision: 'none', warnings: [] });
      }
    }
    expect(await run('exit 7', { event: 'post_tool_use' })).toEqual({
      decision: 'none',
      warnings: warning(/ended with code 7/),
    });
  });
});

describe('a misbehaving command hook', () => {
  it('[HOOK-14] that times out is stopped with all processes that it started', async () => {
    const { runner, workspace } = await runnerOf([
      commandHook('sleep 600 & echo $! > child; trap "" TERM; while :; do sleep 600; done', {
        timeoutSeconds: 4,
      }),
    ]);
    const startedMs = performance.now();
    expect(await runner.run(aCall(), nobody)).toEqual({
      decision: 'none',
      warnings: warning(/^The hook took longer than its 4 s and was stopped\.$/),
    });
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(isAlive(Number(await readFile(join(workspace, 'child'), 'utf8')))).toBe(false);
    expect(runner.status()).toMatchObject([{ hook: 'guard', timedOut: true, decision: 'none' }]);
    expect(runner.status()[0]).not.toHaveProperty('exitCode');
  });

  it('that times out has no effect, even after it printed a deny', async () => {
    const command = `${print({ decision: 'deny' }).replace('; exit 0', '')}; sleep 600`;
    expect(await run(command, { timeoutSeconds: 0.5 })).toMatchObject({ decision: 'none' });
  });

  it.runIf(isLinux)('that leaves child processes running has them stopped', async () => {
    const fork = 'sleep 600 & echo $! >> children; setsid sleep 600 & echo $! >> children';
    const grandchild = '(sh -c "sleep 600 & echo \\$! >> children" &)';
    const { runner, workspace } = await runnerOf([
      commandHook(
        `${fork}; ${grandchild}; while [ $(wc -l < children) -lt 3 ]; do sleep 0.02; done; exit 2`,
      ),
    ]);
    expect(await runner.run(aCall(), nobody)).toMatchObject({ decision: 'deny' });
    const children = (await readFile(join(workspace, 'children'), 'utf8')).trim().split('\n');
    expect(children).toHaveLength(3);
    expect(children.filter((pid) => isAlive(Number(pid)))).toEqual([]);
  });

  it('that prints 100 MB completes, and 64 KiB of each stream are kept', async () => {
    const hundred = 'head -c 104857600 /dev/zero | tr "\\0" x';
    const { runner } = await runnerOf([]);
    const before = process.memoryUsage().rss;
    const tested = await runner.test(
      commandHook(`${hundred}; ${hundred} >&2; exit 2`, { timeoutSeconds: 300 }),
    );
    const grown = process.memoryUsage().rss - before;
    expect(grown).toBeLessThan(100 * 1024 * 1024);
    expect(tested).toMatchObject({ decision: 'deny', exitCode: 2, timedOut: false });
    expect(tested.stdout).toHaveLength(64 * 1024);
    expect(tested.stderr).toHaveLength(64 * 1024);
  });

  it('that never stops printing is stopped', async () => {
    expect(await run('yes', { timeoutSeconds: 300 })).toEqual({
      decision: 'none',
      warnings: warning(/printed more than 256 MiB and was stopped/),
    });
  });

  it('that prints an oversized document has no effect', async () => {
    const filler = 'head -c 100000 /dev/zero | tr "\\0" x';
    const command = `printf '{"decision":"deny","reason":"'; ${filler}; printf '"}'`;
    expect(await run(command)).toEqual({ decision: 'none', warnings: warning(/more than 64 KiB/) });
  });

  it('that prints half a character is read up to the character before it', async () => {
    const { runner } = await runnerOf([]);
    const tested = await runner.test(commandHook('printf x; yes ü | tr -d "\\n" | head -c 80000'));
    expect(tested.stdout).toMatch(/^xü+$/);
  });
});
