import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCall, commandHook, nobody, runnerOf } from '../../../testing/hook-runner.ts';
import { isAlive } from '../../../testing/workers/is-alive.ts';
import type { HookCall, RunnableHook } from './hook-runner.ts';
import { englishText } from '../../../testing/english-text.ts';
import { textOf } from '../../../messages/index.ts';

const named = (name: string, command: string, more: Partial<RunnableHook> = {}): RunnableHook =>
  commandHook(command, { name, ...more });
const deny = (reason: string): string => `echo '${reason}' >&2; exit 2`;
const printDecision = (decision: string, reason = ''): string =>
  `echo '${JSON.stringify({ decision, reason })}'`;

/** Returns the names of the hooks that ran for the call. */
async function ran(hooks: RunnableHook[], call: Partial<HookCall>): Promise<string[]> {
  const { runner } = await runnerOf(hooks);
  await runner.run(aCall(call), nobody);
  return runner
    .status()
    .map(({ hook }) => hook)
    .sort();
}

describe('the hooks that run', () => {
  const events = [
    ['before a tool', 'pre_tool_use'],
    ['after a tool', 'post_tool_use'],
    ['after a tool that failed', 'post_tool_use_failure'],
    ['when a run is complete', 'run_complete'],
    ['when a run fails', 'run_error'],
  ] as const;

  it.each(events)('%s are those of %s', async (_when, event) => {
    const hooks = events.map(([, each]) => named(each, 'exit 0', { event: each }));
    expect(await ran(hooks, { event })).toEqual([event]);
  });

  it('are those whose matcher matches the tool, by its own name or that of another program', async () => {
    const matchers = [
      null,
      '*',
      '',
      'execute_command',
      'Bash',
      'Write|Bash',
      'web_.*',
      'bash',
      '^x',
    ];
    const hooks = matchers.map((matcher) => named(String(matcher), 'exit 0', { matcher }));
    expect(await ran(hooks, {})).toEqual(
      ['*', '', 'Bash', 'Write|Bash', 'execute_command', 'null'].sort(),
    );
    expect(await ran(hooks, { tool: 'web_fetch' })).toEqual(['*', '', 'null', 'web_.*'].sort());
  });

  it('are those whose matcher matches the arguments', async () => {
    const matcher = 'tool == "Bash" && tool_input.command matches "git (push|reset)"';
    const hooks = [named('push', 'exit 0', { matcher })];
    expect(await ran(hooks, { arguments: { command: 'git push' } })).toEqual(['push']);
    expect(await ran(hooks, { arguments: { command: 'git log' } })).toEqual([]);
  });

  it('at the end of a run are all hooks of that event, whatever their matcher', async () => {
    const hooks = [named('end', 'exit 0', { event: 'run_complete', matcher: 'Bash' })];
    expect(await ran(hooks, { event: 'run_complete', tool: undefined })).toEqual(['end']);
  });

  it('do not include one with an invalid matcher, which gives a warning and blocks nothing', async () => {
    const { runner } = await runnerOf([named('broken', deny('No.'), { matcher: '(?=x' })]);
    expect(await runner.run(aCall(), nobody)).toEqual({
      decision: 'none',
      warnings: [
        {
          hook: 'broken',
          message: englishText(/^The hook never runs\. .+\.$/),
        },
      ],
    });
  });

  it('are determined quickly even with a catastrophic matcher (T-20)', async () => {
    const matchers = ['(a+)+$', '^(a|aa)+$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$'];
    const { runner } = await runnerOf(
      matchers.map((matcher) => named('slow', 'exit 0', { matcher })),
    );
    const startedMs = performance.now();
    await runner.run(aCall({ tool: `${'a'.repeat(60)}!` }), nobody);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(runner.status()).toEqual([]);
  });
});

describe('the decision of several hooks', () => {
  const cases: [string, string[]][] = [
    [
      'deny',
      ['exit 0', printDecision('allow'), printDecision('ask'), deny('first'), deny('second')],
    ],
    [
      'ask',
      [
        'exit 0',
        printDecision('allow'),
        printDecision('ask', 'first'),
        printDecision('ask', 'second'),
      ],
    ],
    ['allow', ['exit 1', printDecision('allow', 'first'), printDecision('allow', 'second')]],
  ];
  it.each(cases)('is the strictest: %s', async (decision, commands) => {
    const hooks = commands.map((command, index) => named(`hook-${index}`, command));
    const { runner } = await runnerOf(hooks);
    const first = commands.findIndex((command) => command.includes('first'));
    expect(await runner.run(aCall(), nobody)).toMatchObject({
      decision,
      reason: 'first',
      hook: `hook-${first}`,
    });
  });

  it('names the first denying hook in the list, even if it ends last', async () => {
    const slow = `while [ ! -e second ]; do sleep 0.02; done; ${deny('first')}`;
    const fast = `touch second; ${deny('second')}`;
    const { runner } = await runnerOf([named('one', slow), named('two', fast)]);
    expect(await runner.run(aCall(), nobody)).toMatchObject({ hook: 'one', reason: 'first' });
  });

  it('comes with a warning for each hook that failed', async () => {
    const { runner, log } = await runnerOf([
      named('broken', 'echo bad >&2; exit 9'),
      named('guard', deny('No.')),
    ]);
    const message = 'The hook ended with code 9: bad';
    expect(await runner.run(aCall(), nobody)).toEqual({
      decision: 'deny',
      reason: 'No.',
      hook: 'guard',
      warnings: [{ hook: 'broken', message: englishText(message) }],
    });
    expect(log.errors).toMatchObject([{ logger: 'hooks', message: `broken: ${message}` }]);
  });

  it('is made by eight hooks at a time', async () => {
    const together =
      'touch $$.started; while [ $(ls *.started | wc -l) -lt 8 ]; do sleep 0.02; done';
    const many = Array.from({ length: 20 }, (_, index) =>
      named(`hook-${index}`, `touch $$.on; ls *.on | wc -l >> counts; ${together}; rm $$.on`),
    );
    const { runner, workspace } = await runnerOf(many);
    expect(await runner.run(aCall(), nobody)).toEqual({ decision: 'none', warnings: [] });
    expect(runner.status()).toHaveLength(20);
    const counts = (await readFile(join(workspace, 'counts'), 'utf8')).trim().split('\n');
    expect(Math.max(...counts.map(Number))).toBeLessThanOrEqual(8);
  });

  it('is to ask the user if the hooks cannot be listed', async () => {
    const { runner } = await runnerOf(() => Promise.reject(new Error('no database')));
    expect(await runner.run(aCall(), nobody)).toMatchObject({
      decision: 'ask',
      warnings: [{ message: englishText(/could not be listed/) }],
    });
    expect(await runner.run(aCall({ event: 'run_complete' }), nobody)).toMatchObject({
      decision: 'none',
    });
  });

  it('ignores a hook that may no longer run when its turn comes', async () => {
    const calls: Promise<unknown>[] = [];
    const hold = 'while [ ! -e go ]; do sleep 0.02; done';
    const late = named('late', 'touch late', { mayStillRun: () => Promise.resolve(false) });
    const later = named('later', 'touch later', {
      mayStillRun: () => Promise.reject(new Error('?')),
    });
    const holders = Array.from({ length: 8 }, (_, index) => named(`holder-${index}`, hold));
    const opener = named('opener', 'touch go');
    let hooks: RunnableHook[] = holders;
    const { runner } = await runnerOf(() => Promise.resolve(hooks));
    for (let call = 0; call < 4; call += 1) calls.push(runner.run(aCall(), nobody));
    await Promise.resolve();
    hooks = [late, later];
    const pending = runner.run(aCall(), nobody);
    await runner.test(opener);
    expect(await pending).toEqual({ decision: 'none', warnings: [] });
    await Promise.all(calls);
    expect(runner.status().map(({ hook }) => hook)).not.toContain('late');
    expect(runner.status().map(({ hook }) => hook)).not.toContain('later');
  });
});

describe('cancelling', () => {
  it('a call stops its hooks with all processes that they started, and rejects with its reason', async () => {
    const { runner, workspace } = await runnerOf([
      named('slow', 'sleep 600 & echo $! > child.new; mv child.new child; wait'),
    ]);
    const cancelled = new AbortController();
    const running = runner.run(aCall(), cancelled.signal);
    const child = join(workspace, 'child');
    await expect.poll(() => readFile(child, 'utf8').catch(() => '')).not.toBe('');
    const pid = Number(await readFile(child, 'utf8'));
    cancelled.abort(new Error('The turn was cancelled.'));
    await expect(running).rejects.toThrow('The turn was cancelled.');
    expect(isAlive(pid)).toBe(false);
    expect(runner.status()).toEqual([]);
    await expect(runner.run(aCall(), cancelled.signal)).rejects.toThrow('The turn was cancelled.');
  });

  it('happens to every call when the host closes', async () => {
    const { runner, workspace } = await runnerOf([
      named('slow', 'echo $$ > pid.new; mv pid.new pid; sleep 600'),
    ]);
    const running = runner.run(aCall(), nobody);
    const file = join(workspace, 'pid');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('');
    const refused = expect(running).rejects.toMatchObject({ code: 'host_closing' });
    await runner.close();
    await refused;
    expect(isAlive(Number(await readFile(file, 'utf8')))).toBe(false);
    await expect(runner.run(aCall(), nobody)).rejects.toMatchObject({ code: 'host_closing' });
  });
});

describe('the last result of a hook', () => {
  it('is reported for each hook, the newest first', async () => {
    let commands = ['exit 0', 'echo x >&2; exit 3'];
    const { runner } = await runnerOf(() =>
      Promise.resolve(commands.map((command, index) => named(`hook-${index}`, command))),
    );
    expect(runner.status()).toEqual([]);
    await runner.run(aCall(), nobody);
    expect(runner.status()).toHaveLength(2);
    commands = [deny('No.')];
    await runner.run(aCall({ tool: 'web_fetch' }), nobody);
    expect(runner.status()).toEqual([
      {
        hook: 'hook-0',
        event: 'pre_tool_use',
        tool: 'web_fetch',
        decision: 'deny',
        reason: 'No.',
        exitCode: 2,
        timedOut: false,
        lastResult: 'ran',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        durationMs: expect.any(Number) as number,
      },
      expect.objectContaining({
        hook: 'hook-1',
        exitCode: 3,
        warning: 'The hook ended with code 3: x',
        warningMessage: {
          code: 'hooks.failedWithOutput',
          parameters: {
            problem: { code: 'hooks.endedWithCode', parameters: { code: 3 } },
            output: 'x',
          },
        },
      }),
    ]);
  });
});

describe('testing a hook', () => {
  it('runs it whatever its matcher, with a sample of its event or the given payload', async () => {
    const { runner } = await runnerOf([]);
    const hook = commandHook('cat; echo oh >&2; exit 2', { matcher: 'nothing' });
    const tested = await runner.test(hook);
    expect(tested).toMatchObject({
      decision: 'deny',
      reason: 'oh',
      exitCode: 2,
      timedOut: false,
      stderr: 'oh\n',
    });
    expect(JSON.parse(tested.stdout)).toMatchObject({
      tool: 'execute_command',
      tool_input: { command: 'echo hello' },
      hook_event_name: 'PreToolUse',
    });
    const payload = { tool: 'web_fetch', arguments: { url: 'https://a.test/' }, extra: 1 };
    expect(JSON.parse((await runner.test(hook, payload)).stdout)).toMatchObject({
      ...payload,
      tool_name: 'web_fetch',
      tool_input: payload.arguments,
    });
    expect(runner.status()).toEqual([]);
  });

  it('never returns a decision for an event that is only observed', async () => {
    const { runner } = await runnerOf([]);
    for (const event of [
      'post_tool_use',
      'post_tool_use_failure',
      'run_complete',
      'run_error',
    ] as const) {
      const tested = await runner.test(commandHook('cat; exit 2', { event }));
      expect(tested).toMatchObject({ decision: 'none', exitCode: 2 });
      expect(JSON.parse(tested.stdout)).toMatchObject({ event });
    }
  });

  it('reports a timeout', async () => {
    const { runner } = await runnerOf([]);
    const hook = commandHook('echo half; sleep 600', { timeoutSeconds: 4 });
    expect(await runner.test(hook)).toMatchObject({
      decision: 'none',
      timedOut: true,
      stdout: 'half\n',
      warning: expect.stringContaining('took longer') as string,
    });
  });

  it('accepts the name of a hook that may run', async () => {
    const { runner } = await runnerOf([named('plugin/a/guard', deny('No.'))]);
    expect(await runner.test('plugin/a/guard')).toMatchObject({ decision: 'deny' });
    await expect(runner.test('plugin/b/guard')).rejects.toMatchObject({ code: 'unknown_hook' });
  });
});

describe('a hook that cannot be run', () => {
  const cases: [string, Partial<RunnableHook>][] = [
    ['is not found', { command: 'no-such-program-anywhere' }],
    ['is not executable', { command: '/etc/hostname' }],
    ['takes too long', { command: 'sleep 30', timeoutSeconds: 0.2 }],
    ['is killed', { command: 'kill -9 $$' }],
    ['lacks a setting of its plugin', { problem: 'needs a value for Key (key).' }],
  ];
  it.each(cases)(
    'because it %s is reported once, and denies if it must not fail open',
    async (_, more) => {
      const reported: string[] = [];
      const hooks = [named('guard', 'exit 0', more)];
      const { runner } = await runnerOf(hooks, (hook, reason) =>
        reported.push(`${hook.name}: ${textOf(reason)}`),
      );
      for (let time = 0; time < 2; time += 1) {
        expect(await runner.run(aCall(), nobody)).toMatchObject({
          decision: 'none',
          warnings: [{ hook: 'guard' }],
        });
      }
      expect(reported).toHaveLength(1);
      expect(runner.status()).toMatchObject([{ hook: 'guard', lastResult: 'could_not_run' }]);
      const closed = await runnerOf([named('guard', 'exit 0', { ...more, failClosed: true })]);
      expect(await closed.runner.run(aCall(), nobody)).toMatchObject({
        decision: 'deny',
        reason: englishText(/^The hook /),
      });
    },
  );
});
