import type { RunDetails } from '../../service/contract/index.ts';
import { isOver } from './run-state.ts';

export type WayOn = 'resume' | 'fork' | 'rewind';

/** The ways in which a run can go on; a fork of a run without a plan would be a resumed one. */
export function waysOn({ status, plan }: Pick<RunDetails, 'status' | 'plan'>): WayOn[] {
  if (!isOver({ status })) return [];
  return [
    ...(status === 'completed' ? [] : (['resume'] as const)),
    ...(plan === null ? [] : (['fork', 'rewind'] as const)),
  ];
}
