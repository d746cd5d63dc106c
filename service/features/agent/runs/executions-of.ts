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

/** Derives the state of every step of a plan, then of every element, from the events. */
export function executionsOf(plan: AgentPlan | null, events: readonly RunEvent[]): StepExecution[] {
  if (plan === null) return [];
  const executions = new Executions(plan);
  for (const event of events) executions.take(event);
  return executions.all;
}

class Executions {
  private readonly steps: StepExecution[];
  private readonly elements = new Map<number, StepExecution[]>();

  constructor(plan: AgentPlan) {
    this.steps = plan.steps.map((_, index): StepExecution => {
      return { index, stepId: stepIdOf(plan, index), status: 'pending', attempt: 0 };
    });
  }

  get all(): StepExecution[] {
    for (const step of this.steps) this.fillList(step);
    const lists = [...this.elements].sort(([one], [other]) => one - other);
    return [...this.steps, ...lists.flatMap(([, list]) => list)];
  }

  take({ type, at, data }: RunEvent): void {
    const execution = this.at(data);
    const change = changes[type];
    if (execution && change) {
      Object.assign(execution, change(data, at));
      if (data['element'] === undefined) this.stepChanged(execution, type);
    } else if (type === 'plan_approved') this.releaseUnknown();
    else if (endTypes.includes(type)) this.endAll(type);
  }

  private at({ index, element, elementCount }: RunEvent['data']): StepExecution | undefined {
    const step = this.steps[Number(index)];
    if (step && typeof elementCount === 'number') this.listOf(step, elementCount);
    if (typeof element !== 'number') return step;
    return step && this.listOf(step, element + 1)[element];
  }

  /** Returns the elements of a step, at least `count` of them. */
  private listOf({ index, stepId }: StepExecution, count: number): StepExecution[] {
    const list = this.elements.get(index) ?? [];
    for (let element = list.length; element < count; element += 1)
      list.push({ index, element, stepId, status: 'pending', attempt: 0 });
    this.elements.set(index, list);
    return list;
  }

  private stepChanged({ index, status }: StepExecution, type: string): void {
    if (type === 'step_dropped') this.elements.delete(index);
    if (type !== 'step_complete' || status !== 'failed') return;
    // These elements had not started when another one failed.
    for (const one of this.elements.get(index) ?? []) if (isPending(one)) one.status = 'skipped';
  }

  /** Fills in a list that was too large for an event, or comes from the earlier run. */
  private fillList(step: StepExecution): void {
    const { status, elementCount, result } = step;
    if (elementCount === undefined || status !== 'completed' || result !== undefined) return;
    const list = this.elements.get(step.index) ?? [];
    step.result = list.map((one) => one.result ?? null);
  }

  private get every(): StepExecution[] {
    return [...this.steps, ...[...this.elements.values()].flat()];
  }

  /** The user has approved the repetition of steps with an uncertain outcome. */
  private releaseUnknown(): void {
    for (const execution of this.every)
      if (execution.status === 'unknown') execution.status = 'pending';
  }

  /** Ends the steps that were still pending when the run ended. */
  private endAll(type: string): void {
    const unfinished = type === 'cancelled' ? 'cancelled' : 'pending';
    for (const execution of this.every) {
      if (isPending(execution)) execution.status = unfinished;
      if (execution.status === 'running') execution.status = 'unknown';
    }
    // A list is uncertain if and only if one of its elements is.
    for (const [index, list] of this.elements) {
      const step = this.steps[index];
      if (step?.status !== 'unknown' || step.elementCount === undefined) continue;
      if (!list.some(({ status }) => status === 'unknown')) step.status = unfinished;
    }
  }
}

const isPending = ({ status }: StepExecution): boolean =>
  status === 'pending' || status === 'awaiting_approval';

const countOf = (elementCount: unknown): Pick<StepExecution, 'elementCount'> =>
  typeof elementCount === 'number' ? { elementCount } : {};

const errorMessage = (message: unknown): Pick<StepExecution, 'errorMessage'> =>
  message === undefined ? {} : { errorMessage: message as HostMessage };

type Change = (data: Record<string, unknown>, at: string) => Partial<StepExecution>;

const changes: Record<string, Change> = {
  step_inherited: ({
    element,
    elementCount,
    result,
    cutBytes,
    startedAt,
    finishedAt,
    attempt,
  }) => ({
    ...(element === undefined ? countOf(elementCount) : {}),
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
    elementCount: undefined,
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
  step_start: ({ attempt, elementCount }, at) => ({
    ...countOf(elementCount),
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
