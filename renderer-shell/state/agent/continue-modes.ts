import type { RunDetails } from '../../../service/contract/index.ts';
import { isOver } from './run-state.ts';

export type ContinueMode = 'resume' | 'fork' | 'rewind';

/** Returns the ways to continue a run; a run without a plan has no results to reuse. */
export function continueModes({
  status,
  plan,
}: Pick<RunDetails, 'status' | 'plan'>): ContinueMode[] {
  if (!isOver({ status })) return [];
  if (plan === null) return ['fork'];
  return status === 'completed' ? ['fork', 'rewind'] : ['resume', 'fork', 'rewind'];
}
