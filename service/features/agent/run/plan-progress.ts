import type { PlanStep } from '../../../contract/index.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** `left-out`: skipped by a condition. `missed`: skipped after the failure of a prerequisite. */
export type StepEnd = 'completed' | 'failed' | 'left-out' | 'missed' | 'cancelled';

/** The next action for a step whose prerequisites have all ended. */
export type StepTurn =
  { index: number; start: true } | { index: number; start: false; end: StepEnd; reason: Message };

/**
 * Decides which steps of a plan may start. A step starts when all its prerequisites have ended,
 * none of them badly and at least one completed. If conditions skipped all of them, it is skipped,
 * too.
 */
export class PlanProgress {
  private readonly before: readonly ReadonlySet<number>[];
  private readonly dependents: readonly number[][];
  private readonly missing: number[];
  private readonly ends = new Map<number, StepEnd>();

  constructor(steps: readonly PlanStep[]) {
    this.before = steps.map(({ dependsOn }) => new Set(dependsOn));
    this.dependents = steps.map(() => []);
    this.missing = this.before.map(({ size }) => size);
    for (const [index, targets] of this.before.entries())
      for (const target of targets) this.dependents[target]?.push(index);
  }

  /** The steps that are due when `done` are completed and `others` have ended already, in order. */
  start(done: Iterable<number> = [], others: ReadonlyMap<number, StepEnd> = new Map()): StepTurn[] {
    for (const [index, end] of others) this.ends.set(index, end);
    for (const index of done) this.ends.set(index, 'completed');
    for (const index of this.ends.keys())
      for (const next of this.dependents[index] ?? [])
        this.missing[next] = (this.missing[next] ?? 0) - 1;
    return [...this.before.keys()]
      .filter((index) => this.isDue(index))
      .map((index) => this.turnOf(index));
  }

  /** Records the end of a step; returns the steps that are due now. */
  end(index: number, end: StepEnd): StepTurn[] {
    if (this.ends.has(index)) return [];
    this.ends.set(index, end);
    return (this.dependents[index] ?? []).flatMap((next) => {
      this.missing[next] = (this.missing[next] ?? 0) - 1;
      return this.isDue(next) ? [this.turnOf(next)] : [];
    });
  }

  endOf(index: number): StepEnd | undefined {
    return this.ends.get(index);
  }

  private isDue(index: number): boolean {
    return this.missing[index] === 0 && !this.ends.has(index);
  }

  private turnOf(index: number): StepTurn {
    const before = [...(this.before[index] ?? [])];
    const endsWith = (...expected: StepEnd[]): number | undefined =>
      before.find((target) => expected.includes(this.ends.get(target) ?? 'failed'));
    const bad = endsWith('failed', 'missed', 'cancelled');
    if (bad !== undefined) {
      const reason = msg('run.neededStepNotDone', { step: bad + 1 });
      return { index, start: false, end: 'missed', reason };
    }
    if (before.length === 0 || endsWith('completed') !== undefined) return { index, start: true };
    const reason = msg('run.prerequisitesSkipped');
    return { index, start: false, end: 'left-out', reason };
  }
}
