import { describe, expect, it } from 'vitest';
import type { RunDetails } from '../../../service/contract/index.ts';
import { PlanStep } from '../../../service/contract/index.ts';
import type { AgentEvent } from './run-state.ts';
import {
  afterEvent,
  afterFollowedEvent,
  afterReading,
  isOver,
  lastSequence,
  withoutGate,
} from './run-state.ts';

const details: RunDetails = {
  runId: 'r',
  goal: 'g',
  status: 'planning',
  posture: 'sandboxed',
  config: {},
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  plan: null,
  executions: [],
  events: [],
  gates: [],
};
const step = PlanStep.parse({ tool: 'measure', arguments: { text: 'a' } });
const plan = { steps: [step, { ...step, dependsOn: [0] }] };
const at = '2026-01-01T00:00:01Z';

const after = (...events: AgentEvent[]) =>
  events.reduce((state, event) => afterEvent(state, event, at), afterReading(null, details));

const gate = (index: number): AgentEvent => ({
  event: 'step_approval_requested',
  data: {
    runId: 'r',
    gateId: `gate-${index}`,
    gate: 'step',
    index,
    step,
    tool: 'measure',
    effect: 'read',
    reason: 'A rule',
    suggestedRules: [],
    options: ['allow_once', 'reject'],
    arguments: {},
  },
});

describe('a step for each element of a list', () => {
  const listed = { steps: [{ ...step, forEach: ['a', 'b', 'c'] }] };
  const started: AgentEvent[] = [
    { event: 'plan_ready', data: { plan: listed } },
    { event: 'step_start', data: { index: 0, step, attempt: 1, elementCount: 3 } },
  ];
  const end = (element: number, success: boolean): AgentEvent => ({
    event: 'step_complete',
    data: {
      index: 0,
      element,
      step,
      success,
      status: success ? 'completed' : 'failed',
      ...(success ? { result: element } : { error: 'Not found.' }),
      durationMs: 1,
    },
  });
  const whole = (success: boolean): AgentEvent => ({
    event: 'step_complete',
    data: { index: 0, step, success, status: success ? 'completed' : 'failed', durationMs: 3 },
  });
  const statuses = (...events: AgentEvent[]) =>
    after(...started, ...events).details.executions.map(({ status }) => status);

  it('has separate executions of its elements, and the list of their results', () => {
    expect(statuses()).toEqual(['running', 'pending', 'pending', 'pending']);
    expect(statuses(end(1, true))).toEqual(['running', 'pending', 'completed', 'pending']);
    const { executions } = after(
      ...started,
      ...[end(1, true), end(2, false), end(0, true), whole(true)],
    ).details;
    expect(executions[0]).toMatchObject({ status: 'completed', result: [0, 1, null] });
  });

  it('skips pending elements when it fails, and removes their approvals', () => {
    const asked = (element: number): AgentEvent => {
      const { data } = gate(0) as Extract<AgentEvent, { event: 'step_approval_requested' }>;
      return {
        event: 'step_approval_requested',
        data: { ...data, element, gateId: `gate-${element}` },
      };
    };
    const awaiting = after(...started, asked(0), asked(1));
    expect(awaiting.details.gates).toHaveLength(2);
    const rejected = afterEvent(awaiting, end(1, false), at);
    expect(rejected.details.gates).toMatchObject([{ element: 0 }]);
    const failed = afterEvent(rejected, whole(false), at);
    expect(failed.details.gates).toEqual([]);
    expect(failed.details.executions.map(({ status }) => status)).toEqual([
      ...['failed', 'skipped', 'failed', 'skipped'],
    ]);
  });
});

describe('a run that is followed', () => {
  it('collects the draft of the model until there is a plan', () => {
    const writing = after(
      { event: 'plan_token', data: { text: '{"st' } },
      { event: 'plan_token', data: { text: 'eps"' } },
    );
    expect(writing.draft).toBe('{"steps"');
    const planned = afterEvent(writing, { event: 'plan_ready', data: { plan } }, at);
    expect(planned.details.executions.map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect(afterReading(planned, { ...details, plan }).draft).toBe('');
  });

  it('tracks the status of each step', () => {
    const started = after(
      { event: 'plan_ready', data: { plan } },
      { event: 'step_start', data: { index: 0, step, attempt: 1 } },
      { event: 'step_progress', data: { index: 0, text: 'half' } },
    );
    expect(started.details.executions[0]).toMatchObject({ status: 'running', attempt: 1 });
    expect(started.progress).toEqual({ 0: 'half' });
    const ended = after(
      { event: 'plan_ready', data: { plan } },
      {
        event: 'step_complete',
        data: { index: 0, step, success: false, status: 'failed', error: 'No', durationMs: 1 },
      },
      { event: 'step_skipped', data: { index: 1, reason: 'Step 1 was not done' } },
    );
    expect(ended.details.executions).toMatchObject([
      { status: 'failed', error: 'No', finishedAt: at },
      { status: 'skipped', error: 'Step 1 was not done' },
    ]);
  });

  it('is pending as long as one of its steps is', () => {
    const asked = after({ event: 'plan_ready', data: { plan } }, gate(0), gate(1), gate(1));
    expect(asked.details.status).toBe('awaiting_step_approval');
    expect(asked.details.gates).toHaveLength(2);
    const one = withoutGate(asked.details, 'gate-0');
    expect(one.status).toBe('awaiting_step_approval');
    const approved = afterEvent(
      { ...asked, details: one },
      { event: 'step_approved', data: { index: 1, by: 'person', reason: 'You allowed it' } },
      at,
    );
    expect(approved.details).toMatchObject({ status: 'running', gates: [] });
    expect(approved.details.executions[1]?.approval?.by).toBe('person');
  });

  it('removes a gate that somebody else has rejected', () => {
    const asked = after({ event: 'plan_ready', data: { plan } }, gate(0), gate(1));
    const rejected = { index: 0, success: false, status: 'failed', error: 'No', durationMs: 1 };
    const data = { sequence: 0, at, type: 'step_complete', data: rejected };
    const remaining = afterFollowedEvent(asked, { event: 'event', data });
    expect(remaining.details.gates).toMatchObject([{ index: 1 }]);
    expect(remaining.details.status).toBe('awaiting_step_approval');
  });

  it('applies each stored event once with its own time, and replaces earlier output', () => {
    const planned = { sequence: 0, at, type: 'plan_ready', data: { plan } };
    const later = '2026-01-01T00:00:05Z';
    const ended = {
      sequence: 1,
      at: later,
      type: 'step_complete',
      data: { index: 0, success: true, status: 'completed', result: 'long', durationMs: 1 },
    };
    const output = { draft: '{"st', progress: [{ index: 1, text: 'half' }], warnings: ['Slow'] };
    const state = [
      { event: 'words', data: output } as const,
      ...[planned, planned, ended].map((data) => ({ event: 'event', data }) as const),
    ].reduce(afterFollowedEvent, afterReading(null, details));
    expect(state).toMatchObject({
      draft: '{"st',
      progress: { 1: 'half' },
      warnings: [{ message: 'Slow' }],
    });
    expect(state.details.executions[0]).toMatchObject({ result: 'long', finishedAt: later });
    expect(state.details.events.map(({ sequence }) => sequence)).toEqual([0, 1]);
    expect(state.details.events[1]?.data).not.toHaveProperty('result');
    expect(lastSequence(state.details)).toBe(1);
    expect(lastSequence(details)).toBe(-1);
  });

  it('is over only in a final status', () => {
    const statuses = ['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
    expect(statuses.map((status) => isOver({ status }))).toEqual([false, true, true, true, true]);
  });
});
