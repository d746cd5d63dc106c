import { describe, expect, it } from 'vitest';
import {
  dangerousLines,
  granted,
  neverGranted,
  notGranted,
  opaqueLines,
  runsCurl,
  understoodLines,
  windowsLines,
} from '../../../testing/command-classes.ts';
import { handingOn, hidingLines, pushes } from '../../../testing/hiding-lines.ts';
import { programName } from '../shell/program-name.ts';
import { judgeCall, judgeCommand } from '../../../testing/judge-calls.ts';

const everything = ['Command(*)', 'Tool(*)'];
const denyCurl = ['Command(curl:*)'];
const windows = { platform: 'win32' } as const;

describe('A deny rule', () => {
  it.each(runsCurl)(
    'applies to its program in %j, also in full access [PERMISSION-14]',
    async (line) => {
      const rules = { deny: denyCurl, allow: everything };
      expect(await judgeCommand(line, rules, { mode: 'full-access' })).toMatchObject({
        verdict: 'deny',
        rule: 'Command(curl:*)',
        reason: expect.stringContaining('Command(curl:*)') as unknown,
        suggestedRules: [],
      });
    },
  );

  it.each(opaqueLines)('makes %j require approval, also in full access', async (line) => {
    const rules = { deny: denyCurl, allow: everything };
    const { verdict, suggestedRules } = await judgeCommand(line, rules, { mode: 'full-access' });
    expect(verdict).not.toBe('allow');
    expect(suggestedRules).toEqual([]);
  });

  it('matches options in any order and position', async () => {
    for (const [rule, command] of [
      ['Command(chmod -Rv)', 'chmod -v -R 7 x'],
      ['Command(npm publish --force)', 'npm publish x --tag a --force'],
      ['Command(kubectl delete)', 'kubectl -n prod delete pod x'],
      ['Command(git commit --amend)', 'git -C a commit -m x --amend'],
    ] as const)
      expect(await judgeCommand(command, { deny: [rule] }), command).toMatchObject({ rule });
  });

  it('does not apply to commands that only mention its words', async () => {
    for (const command of [
      'echo curl',
      'git commit -m curl',
      'ls # curl x',
      "cat <<'E'\ncurl\nE",
    ]) {
      const result = await judgeCommand(command, { deny: denyCurl }, { mode: 'full-access' });
      expect(result, command).toMatchObject({ verdict: 'allow' });
    }
  });
});

describe('The floor', () => {
  it.each(dangerousLines)(
    'requires approval for %j in full access, and no rule lifts it [PERMISSION-16]',
    async (line) => {
      const result = await judgeCommand(line, { allow: everything }, { mode: 'full-access' });
      expect(result).toMatchObject({ verdict: 'ask', floor: true, suggestedRules: [] });
    },
  );

  it.each(['reboot', '/usr/sbin/reboot', 'pkexec'])(
    'requires approval before %j is launched on the screen, and no rule lifts it',
    async (app) => {
      const call = { tool: 'computer_launch', arguments: { app }, effect: 'external' } as const;
      const result = await judgeCall(call, { allow: everything }, { mode: 'full-access' });
      expect(result).toMatchObject({ verdict: 'ask', floor: true, suggestedRules: [] });
      const other = { ...call, arguments: { app: 'xterm' } };
      expect(await judgeCall(other, {}, { mode: 'full-access' })).toMatchObject({
        verdict: 'allow',
      });
    },
  );

  it.each(windowsLines.dangerous)('requires approval for %j on Windows', async (line) => {
    const setting = { ...windows, mode: 'full-access' } as const;
    const result = await judgeCommand(line, { allow: everything }, setting);
    expect(result).toMatchObject({ verdict: 'ask', floor: true });
  });
});

describe('An allow rule', () => {
  it.each(neverGranted)('for every command does not allow %j', async (line) => {
    const result = await judgeCommand(line, { allow: ['Command(*)'] });
    expect(result).toMatchObject({ verdict: 'ask', floor: false, suggestedRules: [] });
  });

  it.each(granted)('allows %j by %j [PERMISSION-09]', async (line, ...allow) => {
    expect(await judgeCommand(line, { allow })).toMatchObject({ verdict: 'allow' });
  });

  it.each(understoodLines)(
    'does not allow %j by %j, although it runs in full access',
    async (line, ...allow) => {
      expect(await judgeCommand(line, { allow })).toMatchObject({
        verdict: 'ask',
        suggestedRules: [],
      });
      const rules = { deny: ['Command(never)'] };
      expect(await judgeCommand(line, rules, { mode: 'full-access' })).toMatchObject({
        verdict: 'allow',
      });
    },
  );

  it.each(notGranted)('does not allow %j by %j [PERMISSION-15]', async (line, ...allow) => {
    expect(await judgeCommand(line, { allow })).toMatchObject({ verdict: 'ask' });
  });

  it.each(windowsLines.granted)('allows %j on Windows', async (line) => {
    const allow = ['Command(git status)', 'Command(git log)'];
    expect(await judgeCommand(line, { allow }, windows)).toMatchObject({ verdict: 'allow' });
  });

  it.each(windowsLines.unclear)('does not allow %j on Windows', async (line) => {
    const result = await judgeCommand(line, { allow: ['Command(git:*)'] }, windows);
    expect(result).toMatchObject({ verdict: 'ask' });
  });

  it('applies to the program in the workspace, not to one with the same path elsewhere', async () => {
    const ask = (cwd: string) =>
      judgeCall(
        { tool: 'execute_command', arguments: { command: './run.sh', cwd } },
        { allow: ['Command(./run.sh)'] },
      );
    expect(await ask('')).toMatchObject({ verdict: 'allow' });
    expect(await ask('../other')).toMatchObject({ verdict: 'ask' });
  });
});

describe('A program that runs another command', () => {
  it.each(hidingLines)('is not allowed by a rule for itself alone: %j', async (line) => {
    const words = line.split(/[\s;|]+/).filter((word) => !/^\w+(?:\[\w+\])?=/.test(word));
    for (const word of words.slice(0, 3)) {
      const allow = [`Command(${programName(word)}:*)`, `Command(${word}:*)`];
      const valid = allow.filter((rule) => !rule.includes('()'));
      expect(await judgeCommand(line, { allow: valid }), word).toMatchObject({ verdict: 'ask' });
    }
  });

  it.each(hidingLines)('does not bypass a deny rule: %j', async (line) => {
    const result = await judgeCommand(
      line,
      { deny: ['Command(touch:*)'] },
      { mode: 'full-access' },
    );
    expect(result.verdict).not.toBe('allow');
  });

  it.each(handingOn)('needs approval in every mode if a word is on the floor: %j', async (line) => {
    const rules = { allow: ['Command(*)'] };
    for (const mode of ['ask-for-approval', 'approve-for-me', 'full-access'] as const)
      expect(await judgeCommand(line, rules, { mode }), mode).toMatchObject({ verdict: 'ask' });
  });

  it.each(['mytool curl x', 'mytool --with=curl', "mytool run i 'true && curl x'"])(
    'requires approval if a word names a program with a deny or ask rule: %j',
    async (line) => {
      for (const rules of [{ deny: denyCurl }, { ask: denyCurl }])
        expect(await judgeCommand(line, rules, { mode: 'full-access' })).toMatchObject({
          verdict: 'ask',
        });
      expect(await judgeCommand(line, {}, { mode: 'full-access' })).toMatchObject({
        verdict: 'allow',
      });
    },
  );

  it.each(pushes)('is on the floor if it changes another repository: %j', async (line) => {
    const result = await judgeCommand(line, { allow: everything }, { mode: 'full-access' });
    expect(result).toMatchObject({ verdict: 'ask', floor: true });
  });
});
