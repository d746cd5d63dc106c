import type { RunDetails } from '../../../service/contract/index.ts';
import { isOver } from './run-state.ts';

export type ContinueMode = 'resume' | 'fork' | 'rewind';

/** The ways in which a run can go on; one without a plan has done nothing that could be kept. */
export function continueModes({
  status,
  plan,
}: Pick<RunDetails, 'status' | 'plan'>): ContinueMode[] {
  if (!isOver({ status })) return [];
  if (plan === null) return ['fork'];
  return status === 'completed' ? ['fork', 'rewind'] : ['resume', 'fork', 'rewind'];
}
