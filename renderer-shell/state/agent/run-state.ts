import type {
  api,
  EventOf,
  Gate,
  HostMessage,
  RunDetails,
  RunStatus,
  RunSummary,
  StepExecution,
} from '../../../service/contract/index.ts';
import type { StepPosition } from './elements.ts';
import { elementsOf, isAt, withElements, withExecution, withoutPending } from './elements.ts';

export type AgentEvent = EventOf<(typeof api.runStreams.agent)['reply']>;
export type FollowedEvent = EventOf<(typeof api.runStreams.follow)['reply']>;

/** A run with its last known details and what only its stream delivers. */
export interface RunState {
  details: RunDetails;
  /** The part of the plan that the model has written so far. */
  draft: string;
  /** The answer so far; `details` has the complete one. */
  answer: string;
  /** The tail of the output of running tools, by `positionKey`. */
  progress: Readonly<Record<string, string>>;
  warnings: readonly Warning[];
}

/** A warning of a run. `text` is missing if the message does not come from the host. */
export interface Warning {
  message: string;
  text?: HostMessage | undefined;
}

/** Key of a step or element in `progress`. */
export const positionKey = ({ index, element }: StepPosition): string =>
  element === undefined ? String(index) : `${index}:${element}`;

const maxDraftChars = 200_000;
const maxProgressChars = 4_000;
const maxWarnings = 20;

const ends: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'interrupted'];

export const isOver = ({ status }: Pick<RunSummary, 'status'>): boolean => ends.includes(status);

/**
 * Returns the state with details that were read again; the written draft is dropped once there is a
 * plan.
 */
export function afterReading(before: RunState | null, details: RunDetails): RunState {
  if (before === null) return { details, draft: '', answer: '', progress: {}, warnings: [] };
  const isPlanned = details.plan !== null;
  return { ...before, details, draft: isPlanned ? '' : before.draft };
}

/** Returns true for an event after which the details must be read again. */
export const needsRefetch = (event: FollowedEvent): boolean =>
  event.event === 'event' && readAfter.includes(event.data.type);

const readAfter = [
  'plan_approval_requested',
  'plan_approved',
  'step_inherited',
  'step_dropped',
  'step_unknown',
];

/** Returns the sequence number of the last known event; -1 if there is none. */
export const lastSequence = ({ events }: RunDetails): number => events.at(-1)?.sequence ?? -1;

/** Returns the state after an event of the stream, stored or not; known events change nothing. */
export function afterFollowedEvent(state: RunState, event: FollowedEvent): RunState {
  if (event.event === 'words') {
    const { draft, answer = '', progress, warningMessages = [] } = event.data;
    const warnings = event.data.warnings.map((message, index) => ({
      message,
      text: warningMessages[index] ?? undefined,
    }));
    const entries = progress.map(({ text, ...position }) => [positionKey(position), text] as const);
    return { ...state, draft, answer, progress: Object.fromEntries(entries), warnings };
  }
  if (event.event !== 'event') return afterEvent(state, event, '');
  const { sequence, at, type, data } = event.data;
  if (sequence <= lastSequence(state.details)) return state;
  const next = afterEvent(state, { event: type, data } as AgentEvent, at);
  const { result: _, ...rest } = data;
  const events = [...next.details.events, { ...event.data, data: rest }];
  return { ...next, details: { ...next.details, events } };
}

type Handlers = {
  [E in AgentEvent as E['event']]?: (state: RunState, data: E['data'], at: string) => RunState;
};

const onGate = (state: RunState, gate: Gate): RunState => ({
  ...state,
  details: withStatus(withGate(state.details, gate)),
});

const handlers: Handlers = {
  plan_token: (state, { text }) => ({
    ...state,
    draft: (state.draft + text).slice(-maxDraftChars),
  }),
  answer_token: (state, { text }) => ({
    ...state,
    answer: (state.answer + text).slice(-maxDraftChars),
  }),
  plan_ready: (state, { plan }) => ({ ...state, details: withPlan(state.details, plan) }),
  plan_approval_requested: onGate,
  plan_approved: (state, { gateId }) => ({
    ...state,
    details: withoutGate(state.details, gateId),
  }),
  step_approval_requested: onGate,
  step_approved: (state, { index, element, ...approval }) => {
    const { details } = state;
    const position = { index, element };
    const gate = details.gates.find((one) => one.gate === 'step' && isAt(one, position));
    const rest = gate ? withoutGate(details, gate.gateId) : details;
    return { ...state, details: changed(rest, position, { status: 'pending', approval }) };
  },
  step_start: (state, { index, element, attempt, elementCount }, at) => {
    const change = { status: 'running', attempt, startedAt: at } as const;
    if (elementCount === undefined) return withStep(state, { index, element }, change);
    const started = withStep(state, { index }, { ...change, elementCount });
    const executions = withElements(started.details.executions, index, elementCount);
    return { ...started, details: { ...started.details, executions } };
  },
  step_progress: (state, { text, ...position }) => {
    const key = positionKey(position);
    const progress = ((state.progress[key] ?? '') + text).slice(-maxProgressChars);
    return { ...state, progress: { ...state.progress, [key]: progress } };
  },
  step_retry: (state, { index, element }) =>
    withStep(state, { index, element }, { status: 'pending' }),
  step_skipped: (state, { index, element, reason, reasonMessage }, at) =>
    withStep(
      state,
      { index, element },
      {
        status: 'skipped',
        error: reason,
        ...(reasonMessage === undefined ? {} : { errorMessage: reasonMessage }),
        finishedAt: at,
      },
    ),
  step_complete: (state, { index, element, status, error, errorMessage, details, ...more }, at) => {
    const position = { index, element };
    const result = more.result ?? listOfResults(state, position);
    const ended = withStep(state, position, {
      status,
      finishedAt: at,
      ...(error === undefined ? {} : { error }),
      ...(errorMessage === undefined ? {} : { errorMessage }),
      ...(details === undefined ? {} : { details }),
      ...(result === undefined ? {} : { result }),
    });
    if (element !== undefined || status !== 'failed') return ended;
    const executions = withoutPending(ended.details.executions, index);
    return { ...ended, details: { ...ended.details, executions } };
  },
  warning: (state, warning) => ({
    ...state,
    warnings: [...state.warnings, warning].slice(-maxWarnings),
  }),
};

/** Returns the state after an event that happened at `at`, an ISO time. */
export function afterEvent(state: RunState, event: AgentEvent, at: string): RunState {
  const handler = handlers[event.event] as
    ((state: RunState, data: unknown, at: string) => RunState) | undefined;
  return handler === undefined ? state : handler(state, event.data, at);
}

/** Collects a list that was too large for the event of its step from the elements. */
function listOfResults({ details }: RunState, { index, element }: StepPosition): unknown {
  if (element !== undefined || details.plan?.steps[index]?.forEach === undefined) return undefined;
  return elementsOf(details.executions, index).map(({ result }) => result ?? null);
}

/** Removes the approvals of a step that ended, and those of its elements. */
function withStep(
  state: RunState,
  position: StepPosition,
  change: Partial<StepExecution>,
): RunState {
  const details = changed(state.details, position, change);
  const isSettled = (gate: StepPosition): boolean =>
    position.element === undefined ? gate.index === position.index : isAt(gate, position);
  const gates = details.gates.filter((gate) => gate.gate !== 'step' || !isSettled(gate));
  const isFreed = gates.length < details.gates.length;
  return { ...state, details: isFreed ? withStatus({ ...details, gates }) : details };
}

/** Returns the details without a gate that was answered. */
export function withoutGate(details: RunDetails, gateId: string): RunDetails {
  return withStatus({ ...details, gates: details.gates.filter((gate) => gate.gateId !== gateId) });
}

function withPlan(details: RunDetails, plan: NonNullable<RunDetails['plan']>): RunDetails {
  const executions = plan.steps.map(({ id }, index): StepExecution => {
    return { index, stepId: id ?? `step-${index}`, status: 'pending', attempt: 0 };
  });
  return { ...details, plan, executions };
}

/** The response may have the gate before it has the new status of the step. */
function withGate(details: RunDetails, gate: Gate): RunDetails {
  const hasGate = details.gates.some(({ gateId }) => gateId === gate.gateId);
  const gates = hasGate ? details.gates : [...details.gates, gate];
  if (gate.gate === 'plan') return { ...details, gates };
  return changed({ ...details, gates }, gate, { status: 'awaiting_approval' });
}

/** While the run is active, its status follows from its open gates. */
function withStatus(details: RunDetails): RunDetails {
  if (isOver(details)) return details;
  const waits = new Set(details.gates.map(({ gate }) => gate));
  const status = waits.has('plan')
    ? 'awaiting_plan_approval'
    : waits.has('step')
      ? 'awaiting_step_approval'
      : 'running';
  return { ...details, status };
}

function changed(
  details: RunDetails,
  position: StepPosition,
  change: Partial<StepExecution>,
): RunDetails {
  return { ...details, executions: withExecution(details.executions, position, change) };
}
