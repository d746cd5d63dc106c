import type { StepEnd } from './plan-progress.ts';
import type { StepFailure } from './run-outcome.ts';

/** The point from which another host continues a run. */
export interface Continuation {
  /** Number of the next event. */
  sequence: number;
  /** True if its plan was announced. */
  planned: boolean;
  /** Name of the host that continues it. */
  host: string;
  /** Ends of steps that did not complete, including failures. */
  ended: ReadonlyMap<number, StepEnd>;
  failures: ReadonlyMap<number, StepFailure>;
}
