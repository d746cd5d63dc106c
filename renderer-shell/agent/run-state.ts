import type {
  api,
  EventOf,
  Gate,
  RunDetails,
  RunStatus,
  RunSummary,
  StepExecution,
} from '../../service/contract/index.ts';

export type AgentEvent = EventOf<(typeof api.runStreams.agent)['reply']>;

/** A run as the shell knows it: what was told last, and what only its stream tells. */
export interface RunState {
  details: RunDetails;
  /** What the model has written of the plan so far. */
  draft: string;
  /** What a tool that runs has told so far, the end of it, by step. */
  progress: Readonly<Record<number, string>>;
  warnings: readonly string[];
}

const shownDraft = 200_000;
const shownProgress = 4_000;
const shownWarnings = 20;

const ends: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'interrupted'];

export const isOver = ({ status }: Pick<RunSummary, 'status'>): boolean => ends.includes(status);

/** After reading it anew; what was written of the plan is of interest only until there is one. */
export function asRead(before: RunState | null, details: RunDetails): RunState {
  if (before === null) return { details, draft: '', progress: {}, warnings: [] };
  const isPlanned = details.plan !== null;
  return { ...before, details, draft: isPlanned ? '' : before.draft };
}

/** Whether the stream leaves something out that only the details tell. */
export const needsReading = ({ event }: AgentEvent): boolean =>
  ['plan_approval_requested', 'plan_approved', 'complete'].includes(event);

/** After an event of the stream that came at `at`, an ISO time. */
export function afterEvent(state: RunState, event: AgentEvent, at: string): RunState {
  const { details } = state;
  switch (event.event) {
    case 'plan_token':
      return { ...state, draft: (state.draft + event.data.text).slice(-shownDraft) };
    case 'plan_ready':
      return { ...state, details: withPlan(details, event.data.plan) };
    case 'plan_approval_requested':
    case 'step_approval_requested':
      return { ...state, details: waiting(asked(details, event.data)) };
    case 'plan_approved':
      return { ...state, details: withoutGate(details, event.data.gateId) };
    case 'warning': {
      const warnings = [...state.warnings, event.data.message];
      return { ...state, warnings: warnings.slice(-shownWarnings) };
    }
    case 'step_progress':
      return { ...state, progress: told(state.progress, event.data) };
    case 'step_approved': {
      const { index, ...approval } = event.data;
      const gate = details.gates.find((one) => one.gate === 'step' && one.index === index);
      const rest = gate ? withoutGate(details, gate.gateId) : details;
      return { ...state, details: changed(rest, index, { status: 'pending', approval }) };
    }
    case 'step_start': {
      const { index, attempt } = event.data;
      const begun = { status: 'running', attempt, startedAt: at } as const;
      return { ...state, details: changed(details, index, begun) };
    }
    case 'step_retry':
      return { ...state, details: changed(details, event.data.index, { status: 'pending' }) };
    case 'step_skipped': {
      const { index, reason } = event.data;
      const skipped = { status: 'skipped', error: reason, finishedAt: at } as const;
      return { ...state, details: changed(details, index, skipped) };
    }
    case 'step_complete': {
      const { index, status, result, error } = event.data;
      const end = { status, finishedAt: at, ...(error === undefined ? {} : { error }) };
      return {
        ...state,
        details: changed(details, index, result === undefined ? end : { ...end, result }),
      };
    }
    default:
      return state;
  }
}

/** Without what a person has decided over. */
export function withoutGate(details: RunDetails, gateId: string): RunDetails {
  return waiting({ ...details, gates: details.gates.filter((gate) => gate.gateId !== gateId) });
}

function withPlan(details: RunDetails, plan: NonNullable<RunDetails['plan']>): RunDetails {
  const executions = plan.steps.map(({ id }, index): StepExecution => {
    return { index, stepId: id ?? `step-${index}`, status: 'pending', attempt: 0 };
  });
  return { ...details, plan, executions };
}

function asked(details: RunDetails, gate: Gate): RunDetails {
  if (details.gates.some(({ gateId }) => gateId === gate.gateId)) return details;
  const gates = [...details.gates, gate];
  if (gate.gate === 'plan') return { ...details, gates };
  return changed({ ...details, gates }, gate.index, { status: 'awaiting_approval' });
}

/** The status follows from what waits, as long as the run goes on. */
function waiting(details: RunDetails): RunDetails {
  if (isOver(details)) return details;
  const waits = new Set(details.gates.map(({ gate }) => gate));
  const status = waits.has('plan')
    ? 'awaiting_plan_approval'
    : waits.has('step')
      ? 'awaiting_step_approval'
      : 'running';
  return { ...details, status };
}

function changed(details: RunDetails, index: number, change: Partial<StepExecution>): RunDetails {
  const executions = details.executions.map((execution) =>
    execution.index === index ? { ...execution, ...change } : execution,
  );
  return { ...details, executions };
}

function told(
  progress: RunState['progress'],
  { index, text }: { index: number; text: string },
): RunState['progress'] {
  return { ...progress, [index]: ((progress[index] ?? '') + text).slice(-shownProgress) };
}
