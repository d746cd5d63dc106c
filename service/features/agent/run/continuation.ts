import type { StepEnd } from './plan-progress.ts';
import type { StepFailure } from './run-outcome.ts';

/** Where a run continues that changed hands. */
export interface Continuation {
  /** Number of the next event. */
  sequence: number;
  /** Whether its plan was announced. */
  planned: boolean;
  /** Name of the host that continues it. */
  host: string;
  /** Ends of steps that did not complete, with the failures among them. */
  ended: ReadonlyMap<number, StepEnd>;
  failures: ReadonlyMap<number, StepFailure>;
}
