import { describe, expect, it } from 'vitest';
import { lineSets } from '../../../testing/command-lines.ts';
import { judgeCall, judgeCommand } from '../../../testing/judge-calls.ts';
import { commandPattern } from '../rules/command-pattern.ts';
import { checkRules } from '../rules/check-rules.ts';

describe.each(lineSets())('$name: suggested rules', ({ lines }) => {
  it('together allow the command that they were suggested for', async () => {
    let proposed = 0;
    for (const { cmd } of lines) {
      const { verdict, suggestedRules } = await judgeCommand(cmd, {});
      expect(verdict, cmd).toBe('ask');
      if (suggestedRules.length === 0) continue;
      proposed += 1;
      expect(checkRules(suggestedRules.join('\n')).problems, cmd).toEqual([]);
      expect(await judgeCommand(cmd, { allow: suggestedRules }), cmd).toMatchObject({
        verdict: 'allow',
      });
    }
    expect(proposed).toBeGreaterThan(lines.length / 2);
  });

  it('each match a command of the line, which requires approval without that rule', async () => {
    for (const { cmd } of lines.slice(0, 400)) {
      const { suggestedRules } = await judgeCommand(cmd, {});
      for (const removed of suggestedRules) {
        const allow = suggestedRules.filter((rule) => rule !== removed);
        const covered = allow.some((rule) => covers(rule, removed));
        if (!covered) expect((await judgeCommand(cmd, { allow })).verdict, removed).toBe('ask');
        expect(await judgeCommand(cmd, { deny: [removed] }), removed).toMatchObject({
          verdict: 'deny',
          rule: removed,
        });
      }
    }
  });

  it('never cover a whole shell, interpreter or runner, or every command', async () => {
    const runners = 'sh|bash|zsh|fish|python3?|perl|ruby|node|php|npx|bunx|docker|kubectl|ssh';
    const broad = new RegExp(String.raw`^Command\((?:\*|(?:${runners})(?::\*)?)\)$`);
    const more = ['npx', 'docker', 'bash x.sh', 'npx eslint .', 'docker run a', 'go run x.go'];
    for (const cmd of [...lines.map((line) => line.cmd), ...more])
      for (const rule of (await judgeCommand(cmd, {})).suggestedRules)
        expect(rule).not.toMatch(broad);
  });
});

describe('Suggested rules', () => {
  it.each([
    ['git status -s', 'Command(git status)'],
    ['npm test -- --watch', 'Command(npm test)'],
    ['npm run build -- -x', 'Command(npm run build)'],
    ['ls -la src', 'Command(ls:*)'],
    ['make build', 'Command(make build)'],
    ['npx eslint .', 'Command(npx eslint .)'],
    ['python3 x.py', 'Command(python3 x.py)'],
    ['go run x.go', 'Command(go run x.go)'],
    ["find . -name '*.ts'", String.raw`Command(find . -name '\*.ts')`],
    ['cd web && npm test', 'Command(cd web)', 'Command(npm test)'],
    ['timeout 5 npm test', 'Command(timeout 5 npm test)', 'Command(npm test)'],
  ])('for %j are %j', async (command, ...rules) => {
    expect((await judgeCommand(command, {})).suggestedRules).toEqual(rules);
  });

  it('are empty if an ask rule or the floor applies, or the command cannot be understood', async () => {
    const asked = await judgeCommand('npm publish', { ask: ['Command(npm publish)'] });
    expect(asked).toMatchObject({ verdict: 'ask', suggestedRules: [] });
    for (const command of ['rm x', 'ls && git push', '$X y', 'ls > f', 'A=1 ls', "ls 'a\nb'"])
      expect((await judgeCommand(command, {})).suggestedRules, command).toEqual([]);
  });

  it('name the tool or the tool of a server', async () => {
    for (const [tool, rules] of [
      ['acme_save', ['Tool(acme_save)']],
      ['mcp__files__read', ['Tool(mcp__files__read)']],
    ] as const) {
      const call = { tool, arguments: {}, effect: 'external' };
      expect((await judgeCall(call, {})).suggestedRules).toEqual(rules);
      expect(await judgeCall(call, { allow: rules })).toMatchObject({ verdict: 'allow' });
    }
  });
});

/** Returns true if the first rule allows at least as much as the second. */
function covers(rule: string, other: string): boolean {
  const inside = (text: string): string => text.slice('Command('.length, -1);
  const [wide, narrow] = [commandPattern(inside(rule)), commandPattern(inside(other))];
  return wide.glob.length === 1 && narrow.glob.join('').startsWith(wide.glob.join(''));
}
