import { describe, expect, it } from 'vitest';
import { lineSets, type LabelledLine } from '../../../testing/command-lines.ts';
import { judgeCommand, testGrammars } from '../../../testing/judge-calls.ts';
import { readCommandLine } from './read-command-line.ts';
import type { CommandLine } from './segment.ts';

const read = (text: string): Promise<CommandLine> => readCommandLine(text, 'linux', testGrammars);
const even = (text: string): string => text.replaceAll('\\\n', ' ').replaceAll(/\s+/g, ' ').trim();
const dangerous =
  /^(?:[A-Za-z_]\w*=\S* )*(?:rm|rmdir|sudo|su|kill|pkill|killall|mv|chmod|chown|dd|mkfs\S*|shred)\b/;

/** Returns the simple commands that the labels have and the reading misses. */
async function missingIn({ cmd, simple }: LabelledLine): Promise<string[]> {
  const found = new Set((await read(cmd)).segments.map(({ text }) => even(text)));
  const named = simple.map((label) => even(typeof label === 'string' ? label : (label[0] ?? '')));
  return named.filter((label) => !found.has(label));
}

describe.each(lineSets())('$name: reading a command line', ({ lines }) => {
  it('finds the simple commands in 99.5 % of the lines, and all dangerous commands', async () => {
    const valid = lines.filter((line) => line.valid);
    const missing: string[][] = [];
    for (const line of valid) missing.push(await missingIn(line));
    const wrong = missing.filter((labels) => labels.length > 0);
    expect(wrong.length / valid.length, wrong.join('\n')).toBeLessThanOrEqual(0.005);
    expect(wrong.flat().filter((label) => dangerous.test(label))).toEqual([]);
  });

  it('treats all lines that bash refuses as unreadable', async () => {
    const refused = lines.filter((line) => !line.valid);
    for (const { cmd } of refused) expect((await read(cmd)).opaque, cmd).not.toBeNull();
    expect(refused.length).toBeGreaterThanOrEqual(4);
  });
});

describe('Reading a command line', () => {
  it('decodes words as bash does', async () => {
    const { segments } = await read(String.raw`a 'b c' "d \" e" f\ g $'\x68\n' h"i"'j' "" --k="l"`);
    expect(segments[0]?.argv.map(({ value }) => value)).toEqual([
      ...['a', 'b c', 'd " e', 'f g', 'h\n', 'hij', '', '--k=l'],
    ]);
  });

  it('marks words that only the shell can expand', async () => {
    const { segments } = await read('a b $c "$d" -x"$e" --f="$g" *.h i{1,2} "j*"');
    const seen = segments[0]?.argv.map((word) => [word.literal, word.mayHideOption]);
    expect(seen).toEqual([
      ...[
        [true, false],
        [true, false],
        [false, true],
        [false, true],
        [false, true],
        [false, false],
        [false, true],
        [false, true],
        [true, false],
      ],
    ]);
  });

  it('separates assignments, redirections and here-documents from the words', async () => {
    const { segments } = await read("A=1 B='2 3' c >f d 2>&1 <<'E'\nx\nE");
    expect(segments[0]).toMatchObject({
      text: "A=1 B='2 3' c d",
      assignments: ['A', 'B'],
    });
    expect(segments[0]?.redirections.map(({ operator }) => operator)).toEqual(['>', '>&', '<<']);
  });

  const hostile = [
    ...[
      'true; ',
      'a|',
      '| sh ',
      '$(',
      'echo $(',
      '`',
      '((',
      '{ ',
      '(',
      'a=(',
      '<<A ',
      'if a; then ',
    ],
    ...[
      "'",
      '"',
      '$a',
      '\\',
      '{a,',
      'nohup ',
      'find -exec ',
      'find . -exec a ; ',
      '[',
      '*',
      'time ',
    ],
    ...[
      'awk "a" | ',
      'sed s/a/b/\n',
      '${a:-',
      'f() { ',
      '; ;',
      '\r\n',
      "$'\\x41",
      'eval "',
      'xargs ',
    ],
  ];
  it.each(hostile)('requires approval for 100 KB of %j', async (unit) => {
    const command = unit.repeat(Math.ceil(100_000 / unit.length));
    const rules = { deny: ['Command(curl:*)'], allow: ['Command(*)'] };
    expect(await judgeCommand(command, rules, { mode: 'full-access' })).toMatchObject({
      verdict: 'ask',
    });
  });

  it('still works for the next line after hostile ones', async () => {
    for (const unit of hostile) await read(unit.repeat(Math.ceil(3_000 / unit.length)));
    const { segments, opaque } = await read('ls && git push');
    expect([segments.map(({ text }) => text), opaque]).toEqual([['ls', 'git push'], null]);
  });

  it('requires approval in every mode if the PowerShell grammar is missing', async () => {
    const { Grammars } = await import('./grammars.ts');
    const { judge } = await import('../verdict/judge.ts');
    const result = await judge(
      { tool: 'run', arguments: {}, facets: { command: () => ({ command: 'ls' }) } },
      {
        rules: { deny: '', ask: '', allow: 'Command(*)' },
        mode: 'full-access',
        sandbox: 'full',
        platform: 'win32',
      },
      new Grammars('/nowhere'),
    );
    expect(result).toMatchObject({ verdict: 'ask', floor: false });
  });
});
