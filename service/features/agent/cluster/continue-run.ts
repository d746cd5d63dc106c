import type { RunEvent, StepExecution } from '../../../contract/index.ts';
import type { Message } from '../../../messages/index.ts';
import { type Inherited, inheritedFrom } from '../run/inherited.ts';
import type { Continuation } from '../run/continuation.ts';
import { endTypes, executionsOf } from '../runs/executions-of.ts';
import type { StepEnd } from '../run/plan-progress.ts';
import type { StepFailure } from '../run/run-outcome.ts';
import type { RunRow } from '../runs/run-row.ts';

/** The next action of a host with a run that it takes over. */
export type NextAction =
  /** It has not started anywhere, so it starts from its request. */
  | { kind: 'start' }
  /** It continues after its last completed steps. */
  | { kind: 'continue'; continued: Continuation; inherited: Inherited; planApproval: boolean }
  /** Its last event is its end; only the row is missing that. */
  | { kind: 'ended' }
  /** It is unknown whether one of its steps completed, or only its host had files that it needs. */
  | { kind: 'interrupt' };

/**
 * Decides from the events of a run without an owner how it continues. A step with a start but no
 * end may have completed: only a person can decide about that.
 */
export function nextAction(row: RunRow, events: readonly RunEvent[], host: string): NextAction {
  if (events.some(({ type }) => endTypes.includes(type))) return { kind: 'ended' };
  if (row.request.handover === undefined) return { kind: 'interrupt' };
  if (events.length === 0) return { kind: 'start' };
  const executions = executionsOf(row.plan, events);
  const uncertain = ['running', 'unknown', 'cancelled'];
  if (executions.some(({ status }) => uncertain.includes(status))) return { kind: 'interrupt' };
  const isApproved = events.some(({ type }) => type === 'plan_approved');
  return {
    kind: 'continue',
    inherited: inheritedFrom(executions, executions.length),
    planApproval: row.request.handover.planApproval && !isApproved,
    continued: {
      sequence: events.length,
      planned: events.some(({ type }) => type === 'plan_ready'),
      host,
      ...endsOf(executions),
    },
  };
}

/** Failed and skipped steps remain as they are: another host does not retry them. */
function endsOf(executions: readonly StepExecution[]) {
  const ended = new Map<number, StepEnd>();
  const failures = new Map<number, StepFailure>();
  for (const { index, element, status, error = '', errorMessage, details } of executions) {
    // The event of the step includes the results of its elements.
    if (element !== undefined) continue;
    if (status === 'skipped') {
      const isMissed = errorMessage?.code === 'run.neededStepNotDone';
      ended.set(index, isMissed ? 'missed' : 'left-out');
    }
    if (status !== 'failed') continue;
    ended.set(index, 'failed');
    failures.set(index, { error: (errorMessage as Message | undefined) ?? error, details });
  }
  return { ended, failures };
}
