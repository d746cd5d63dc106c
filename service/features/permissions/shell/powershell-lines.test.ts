import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../../testing/judge-calls.ts';
import { powershellLines } from '../../../testing/powershell-lines.ts';

const visible = [
  'ls',
  'bash',
  'cmd',
  'powershell',
  'wsl',
  'Start-Job',
  'Measure-Command',
  'Set-Item',
  ...[
    'conhost',
    'wt',
    'explorer',
    'pcalua',
    'runas',
    'sc',
    'New-Service',
    'Invoke-CimMethod',
    'py',
  ],
  'Invoke-WmiMethod',
  ...['node', 'npx', 'git', 'make', 'cmake', 'sqlite3', 'mysql', 'java', 'helm'],
];
const lines = powershellLines();

describe('A PowerShell line that runs a program other than the visible one', () => {
  it('is generated for every construct of the grammar', () => {
    expect(lines.length).toBeGreaterThan(500);
  });

  it('is not allowed by a rule for the visible program', async () => {
    const granted: string[] = [];
    for (const line of lines) {
      const allow = visible.map((name) => `Command(${name}:*)`);
      const { verdict } = await judgeCommand(line, { allow }, { platform: 'win32' });
      if (verdict === 'allow') granted.push(line);
    }
    expect(granted).toEqual([]);
  });

  it('does not bypass a deny rule for the hidden program, in full access', async () => {
    const allowed: string[] = [];
    for (const line of lines) {
      const setting = { platform: 'win32', mode: 'full-access' } as const;
      const { verdict } = await judgeCommand(line, { deny: ['Command(hidden:*)'] }, setting);
      if (verdict === 'allow') allowed.push(line);
    }
    expect(allowed).toEqual([]);
  });

  it('is allowed if it is plain and every program has a rule', async () => {
    for (const line of ['ls -Name; git status', 'git log | ls', "ls 'a b' 2>&1", 'ls > $null'])
      expect(
        await judgeCommand(
          line,
          { allow: ['Command(ls:*)', 'Command(git:*)'] },
          { platform: 'win32' },
        ),
        line,
      ).toMatchObject({ verdict: 'allow' });
  });
});
