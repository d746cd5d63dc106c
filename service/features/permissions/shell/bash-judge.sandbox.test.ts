import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BashJudge } from '../../../testing/bash-judge/bash-judge.ts';
import { findDisagreement } from '../../../testing/bash-judge/find-disagreement.ts';
import { regressionLines } from '../../../testing/bash-judge/regression-lines.ts';
import { LineGenerator } from '../../../testing/bash-judge/line-generator.ts';
import { testGrammars } from '../../../testing/judge-calls.ts';
import { readCommandLine } from './read-command-line.ts';

const isLong = process.env['FAULT_ROUNDS'] === 'long';
const lineCount = isLong ? 200_000 : 3_000;
/** The short form uses a fixed seed, so that a failure comes from the change under test. */
const seed = Number(process.env['BASH_JUDGE_SEED'] ?? (isLong ? Date.now() % 1_000_000 : 20_261));
const judgeCount = 2;

describe('Real bash', () => {
  const judges: BashJudge[] = [];
  beforeAll(async () => {
    for (let count = 0; count < judgeCount; count += 1) judges.push(await BashJudge.start());
  });
  afterAll(() => Promise.all(judges.map((judge) => judge.close())));

  const firstJudge = (): BashJudge => judges[0] as BashJudge;
  const disagreement = async (judge: BashJudge, line: string): Promise<string | null> => {
    const reading = await readCommandLine(line, 'linux', testGrammars);
    const found = await findDisagreement(line, reading, await judge.run(line));
    return found === null ? null : `${JSON.stringify(line)}: ${found}`;
  };

  it('reports which programs a line runs, with their arguments, also in the background', async () => {
    const runs = await firstJudge().run(
      "p 'a b' | q; (sh -c 'hidden 1' &) ; /bin/rm x; nope && ls",
    );
    expect(runs.map((run) => run.join(' ')).sort()).toEqual([
      'hidden 1',
      'nope',
      'p a b',
      'q',
      'rm x',
    ]);
  });

  it('stops background processes that write endlessly', async () => {
    const runs = await firstJudge().run('(while :; do echo on; done &); p');
    expect(runs).toEqual([['p']]);
  });

  it.each(regressionLines)('runs no program in %j that the reader does not find', async (line) => {
    expect(await disagreement(firstJudge(), line)).toBeNull();
  });

  it(
    `runs no program in ${lineCount} lines of the seed ${seed} that the reader does not find`,
    { timeout: isLong ? 4 * 3_600_000 : 600_000 },
    async () => {
      process.stdout.write(`Lines for bash are made from the seed ${seed} (BASH_JUDGE_SEED).\n`);
      const found: string[] = [];
      const counts = { plain: 0, understood: 0, opaque: 0, ran: 0 };
      await Promise.all(
        judges.map(async (judge, at) => {
          const generator = new LineGenerator(seed + at);
          for (let count = 0; count < lineCount / judgeCount; count += 1) {
            const line = generator.line();
            const reading = await readCommandLine(line, 'linux', testGrammars);
            const runs = await judge.run(line);
            counts[reading.opaque !== null ? 'opaque' : reading.plain ? 'plain' : 'understood'] +=
              1;
            if (runs.length > 0) counts.ran += 1;
            const why = await findDisagreement(line, reading, runs);
            if (why !== null) found.push(`${JSON.stringify(line)}: ${why}`);
          }
        }),
      );
      process.stdout.write(`${JSON.stringify(counts)}\n`);
      expect(found).toEqual([]);
      // Lines that are never understood, or never run, would prove nothing.
      expect(counts.plain).toBeGreaterThan(lineCount / 20);
      expect(counts.understood).toBeGreaterThan(lineCount / 20);
      expect(counts.ran).toBeGreaterThan(lineCount / 4);
    },
  );
});
