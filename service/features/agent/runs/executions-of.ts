import type { AgentPlan, RunEvent, StepApproval, StepExecution } from '../../../contract/index.ts';

/** The names of steps without an id. */
const stepIdOf = ({ steps }: AgentPlan, index: number): string =>
  steps[index]?.id ?? `step-${index}`;

/** How every step of a plan stands, as the events tell it. */
export function executionsOf(plan: AgentPlan | null, events: readonly RunEvent[]): StepExecution[] {
  if (plan === null) return [];
  const executions = plan.steps.map((_, index): StepExecution => {
    return { index, stepId: stepIdOf(plan, index), status: 'pending', attempt: 0 };
  });
  for (const { type, at, data } of events) {
    const execution = executions[Number(data['index'])];
    const change = changes[type];
    if (execution && change) Object.assign(execution, change(data, at));
    else if (type === 'plan_approved') releaseUnknown(executions);
    else if (endTypes.includes(type)) endAll(executions, type);
  }
  return executions;
}

type Change = (data: Record<string, unknown>, at: string) => Partial<StepExecution>;

const changes: Record<string, Change> = {
  step_inherited: ({ result, cutBytes, startedAt, finishedAt, attempt }) => ({
    status: 'completed',
    inherited: true,
    result,
    attempt: Number(attempt),
    ...(typeof cutBytes === 'number' ? { cutBytes } : {}),
    ...(typeof startedAt === 'string' ? { startedAt } : {}),
    ...(typeof finishedAt === 'string' ? { finishedAt } : {}),
  }),
  /** The plan was changed, so it is to be done again. */
  step_dropped: () => ({
    status: 'pending',
    attempt: 0,
    inherited: false,
    result: undefined,
    cutBytes: undefined,
    startedAt: undefined,
    finishedAt: undefined,
  }),
  step_unknown: () => ({ status: 'unknown' }),
  step_approval_requested: () => ({ status: 'awaiting_approval' }),
  step_approved: ({ by, decision, rule, reason, reasonMessage }) => ({
    status: 'pending',
    approval: { by, decision, rule, reason, reasonMessage } as StepApproval,
  }),
  step_start: ({ attempt }, at) => ({
    status: 'running',
    attempt: Number(attempt),
    startedAt: at,
  }),
  step_retry: () => ({ status: 'pending' }),
  step_skipped: ({ reason }, at) => ({ status: 'skipped', error: String(reason), finishedAt: at }),
  step_complete: ({ status, result, cutBytes, error, details }, at) => ({
    status: status as StepExecution['status'],
    finishedAt: at,
    ...(result === undefined ? {} : { result }),
    ...(typeof cutBytes === 'number' ? { cutBytes } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof details === 'string' ? { details } : {}),
  }),
};

/** The last event of a run is one of these. */
export const endTypes: readonly string[] = ['complete', 'error', 'cancelled', 'interrupted'];

/** A person has seen that nobody knows about them, and wants them done. */
function releaseUnknown(executions: StepExecution[]): void {
  for (const execution of executions)
    if (execution.status === 'unknown') execution.status = 'pending';
}

/** What was still to come when the run ended. */
function endAll(executions: StepExecution[], type: string): void {
  for (const execution of executions) {
    const { status: was } = execution;
    const waits = was === 'pending' || was === 'awaiting_approval';
    if (was === 'running') execution.status = 'unknown';
    else if (waits) execution.status = type === 'cancelled' ? 'cancelled' : 'pending';
  }
}
