import { expect, it } from 'vitest';
import { judgeCall } from '../../../testing/judge-calls.ts';
import cases from '../../../testing/permission-cases.json' with { type: 'json' };
import type { JudgeContext } from './judge.ts';

interface Row {
  id: string;
  why: string;
  rules: { deny: string[]; ask: string[]; allow: string[] };
  mode: JudgeContext['mode'];
  sandbox?: JudgeContext['sandbox'];
  platform?: JudgeContext['platform'];
  tool: string;
  command?: string;
  url?: string;
  effect?: string | null;
  server?: string;
  hooks?: unknown[];
  expect: string;
  acceptable?: string[];
  reasonNames?: string;
  maxMillis?: number;
}

/** Without the rows where a hook decides, because then no rule applies. */
const rows = (cases as Row[]).filter((row) => !(row.hooks && row.expect === 'deny'));

it.each(rows)('$id: $why', async (row) => {
  const { tool, effect, server, mode, sandbox = 'full', platform = 'linux' } = row;
  const args = { command: row.command, url: row.url };
  const started = performance.now();
  const result = await judgeCall({ tool, arguments: args, effect, server }, row.rules, {
    mode,
    sandbox,
    platform,
  });
  const tookMs = performance.now() - started;
  const floor = row.expect === 'dangerous-floor';
  expect(row.acceptable ?? [floor ? 'ask' : row.expect]).toContain(result.verdict);
  if (floor) expect(result.floor).toBe(true);
  expect(result.reason).toContain(row.reasonNames ?? '');
  expect(tookMs).toBeLessThan(row.maxMillis ?? 5_000);
});

it('covers every case except those about hooks', () => {
  expect(cases.length - rows.length).toBe(4);
});
