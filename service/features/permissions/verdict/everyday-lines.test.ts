import { describe, expect, it } from 'vitest';
import { lineSets, type LabelledLine } from '../../../testing/command-lines.ts';
import { judgeCommand, testGrammars } from '../../../testing/judge-calls.ts';
import { programName } from '../shell/program-name.ts';
import { readCommandLine } from '../shell/read-command-line.ts';

const programsOf = ({ simple }: LabelledLine): string[] =>
  simple.map(
    (label) => (typeof label === 'string' ? label : (label[0] ?? '')).trim().split(/\s+/)[0] ?? '',
  );

/**
 * Returns true for words joined by operators without expansions, by the text and the labels alone.
 */
function isEverydayPlain(line: LabelledLine): boolean {
  const bare = line.cmd
    .replaceAll(/'[^']*'|"[^"$`\\]*"|\\./gs, '_')
    .replaceAll(/&&|\{\}|[12]?>\s*\/dev\/null|2>&1/g, '');
  return (
    line.simple.every((label) => typeof label === 'string') &&
    !/[$`<>(){}&*?~!#\n\u0080-\uFFFF]|\[.*\]|^\s*\w+=/.test(bare)
  );
}

/**
 * Lines that run hidden text or change files and settings, and lists of alternatives in a manual.
 */
const notEveryday =
  /^(?:sh|bash|zsh|fish|pwsh|powershell|eval|exec|source|\.|alias|bind|coproc|su|tart|bun|deno)$|[^\w./@:-]|^$/;
const runsOwnText =
  /(?:^|[\s/])(?:(?:ba|z)?sh(?:\s+-\S+)*\s+-\w*c|(?:perl|python3?|php|ruby|node)\s(?:.*\s)?-\w*(?:[ceErn]|pi)\b)|--(?:loader|filter)|-fprint|sed (?:\S+ )*-i|system\(|\w\|\w|print.*>/s;

const sets = lineSets().map(({ name, lines }) => ({
  name,
  lines: lines.filter(({ valid }) => valid),
}));

describe.each(sets)('$name: everyday lines', ({ name, lines }) => {
  it('are allowed in 95 of 100 cases by rules for their programs, if they are plain', async () => {
    let count = 0;
    const refused: string[] = [];
    for (const line of lines) {
      if (!isEverydayPlain(line) || runsOwnText.test(line.cmd)) continue;
      if (programsOf(line).some((name) => notEveryday.test(name))) continue;
      const { segments } = await readCommandLine(line.cmd, 'linux', testGrammars);
      const allow = segments.map(({ argv }) => `Command(${programName(argv[0]?.value ?? '')}:*)`);
      const { verdict, floor } = await judgeCommand(line.cmd, { allow });
      if (floor) continue;
      count += 1;
      if (verdict !== 'allow') refused.push(line.cmd);
    }
    const share = 1 - refused.length / count;
    process.stdout.write(
      `${name}: plain everyday lines granted: ${(share * 100).toFixed(1)} % of ${count}\n`,
    );
    expect(share, refused.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  it('run without approval in full access in 90 of 100 cases despite a deny rule for another program', async () => {
    let count = 0;
    const asked: string[] = [];
    for (const line of lines) {
      if (runsOwnText.test(line.cmd)) continue;
      if (programsOf(line).some((name) => notEveryday.test(name))) continue;
      const rules = { deny: ['Command(another-program:*)'] };
      const { verdict, floor } = await judgeCommand(line.cmd, rules, { mode: 'full-access' });
      if (floor) continue;
      count += 1;
      if (verdict !== 'allow') asked.push(line.cmd);
    }
    const share = 1 - asked.length / count;
    process.stdout.write(
      `${name}: harmless lines that run unasked: ${(share * 100).toFixed(1)} % of ${count}\n`,
    );
    expect(share, asked.join('\n')).toBeGreaterThanOrEqual(0.9);
  });
});
