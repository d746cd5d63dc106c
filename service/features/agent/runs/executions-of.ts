import type {
  AgentPlan,
  HostMessage,
  RunEvent,
  StepApproval,
  StepExecution,
} from '../../../contract/index.ts';

/** The id of a step, or a generated one. */
const stepIdOf = ({ steps }: AgentPlan, index: number): string =>
  steps[index]?.id ?? `step-${index}`;

/** Derives the state of every step of a plan from the events. */
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

const errorMessage = (message: unknown): Pick<StepExecution, 'errorMessage'> =>
  message === undefined ? {} : { errorMessage: message as HostMessage };

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
  /** The user changed the step, so it is repeated. */
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
    approval: {
      by,
      decision,
      rule,
      reason,
      ...(reasonMessage === undefined ? {} : { reasonMessage }),
    } as StepApproval,
  }),
  step_start: ({ attempt }, at) => ({
    status: 'running',
    attempt: Number(attempt),
    startedAt: at,
  }),
  step_retry: () => ({ status: 'pending' }),
  step_skipped: ({ reason, reasonMessage }, at) => ({
    status: 'skipped',
    error: String(reason),
    ...errorMessage(reasonMessage),
    finishedAt: at,
  }),
  step_complete: ({ status, result, cutBytes, error, details, ...more }, at) => ({
    status: status as StepExecution['status'],
    finishedAt: at,
    ...(result === undefined ? {} : { result }),
    ...(typeof cutBytes === 'number' ? { cutBytes } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...errorMessage(more['errorMessage']),
    ...(typeof details === 'string' ? { details } : {}),
  }),
};

/** Types of the last event of a run. */
export const endTypes: readonly string[] = ['complete', 'error', 'cancelled', 'interrupted'];

/** The user has approved the repetition of steps with an uncertain outcome. */
function releaseUnknown(executions: StepExecution[]): void {
  for (const execution of executions)
    if (execution.status === 'unknown') execution.status = 'pending';
}

/** Ends the steps that were still pending when the run ended. */
function endAll(executions: StepExecution[], type: string): void {
  for (const execution of executions) {
    const { status: was } = execution;
    const waits = was === 'pending' || was === 'awaiting_approval';
    if (was === 'running') execution.status = 'unknown';
    else if (waits) execution.status = type === 'cancelled' ? 'cancelled' : 'pending';
  }
}
