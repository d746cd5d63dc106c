import type { AgentPlan } from '../../../contract/index.ts';
import type { PlanProgress } from './plan-progress.ts';

export interface RunEnding {
  status: 'completed' | 'failed' | 'cancelled' | 'interrupted';
  summary?: string | undefined;
  error?: string | undefined;
}

/** What a run came to once none of its steps is left; `failures` say why steps failed, by index. */
export function runEnding(
  plan: AgentPlan,
  progress: PlanProgress,
  failures: ReadonlyMap<number, string>,
): RunEnding {
  const ends = plan.steps.map((_, index) => progress.endOf(index));
  const count = (...wanted: unknown[]): number => ends.filter((end) => wanted.includes(end)).length;
  const done = `${count('completed')} of ${ends.length} steps done`;
  const left = count('left-out', 'missed');
  const tally = left === 0 ? `${done}.` : `${done}, ${left} left out.`;
  const bad = plan.steps.flatMap(({ onFailure = 'fail' }, index) =>
    ends[index] === 'failed' && onFailure === 'fail' ? [index] : [],
  );
  const [first] = bad;
  if (first === undefined)
    return { status: 'completed', summary: [plan.summary, tally].filter(Boolean).join(' ') };
  const { title = '' } = plan.steps[first] ?? {};
  const name = title === '' ? `Step ${first}` : `Step ${first} (${title.slice(0, 200)})`;
  const more = bad.length > 1 ? ` ${bad.length - 1} more failed.` : '';
  return {
    status: 'failed',
    error: `${name} failed: ${failures.get(first) ?? ''}${more} ${tally}`,
  };
}
