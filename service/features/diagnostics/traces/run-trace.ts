import { randomBytes } from 'node:crypto';
import type { AgentPlan, RunEvent, RunSummary } from '../../../contract/index.ts';

/** A part of a run as a trace shows it. It never contains arguments or results of tools. */
export interface RunSpan {
  name: string;
  /** 32 hex digits: those of the run's id. */
  traceId: string;
  spanId: string;
  parentId: string | null;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  failed: boolean;
}

/** The fields of a run that its trace contains. */
export type TracedRun = Pick<RunSummary, 'runId' | 'posture'> &
  Record<'parentRunId' | 'batchId' | 'workflowId', string | null>;

const statusOf: Readonly<Record<string, string>> = {
  complete: 'completed',
  error: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

const newId = (): string => randomBytes(8).toString('hex');
const positionKey = ({ data }: RunEvent): string =>
  `${String(data['index'])}:${typeof data['element'] === 'number' ? data['element'] : ''}`;
const timeOf = ({ at }: RunEvent): number => Date.parse(at);

type Part = Omit<RunSpan, 'traceId' | 'spanId' | 'parentId'> & Partial<RunSpan>;

/** Turns the events of a run into spans, each emitted when it has ended. */
export function traceRun(run: TracedRun, emit: (span: RunSpan) => void): (event: RunEvent) => void {
  const trace = new RunTrace(run, emit);
  return (event) => trace.onEvent(event);
}

class RunTrace {
  private readonly run: TracedRun;
  private readonly emit: (span: RunSpan) => void;
  private readonly root = newId();
  private readonly planning = { spanId: newId(), requests: 0, ended: false };
  private readonly started = new Map<string, { startMs: number; attempt: number }>();
  private startMs = Date.now();
  private plan: AgentPlan | undefined;

  constructor(run: TracedRun, emit: (span: RunSpan) => void) {
    this.run = run;
    this.emit = emit;
  }

  onEvent(event: RunEvent): void {
    this.parts[event.type]?.(event);
    const status = statusOf[event.type];
    if (status !== undefined) this.end(event, status);
  }

  private readonly parts: Record<string, (event: RunEvent) => void> = {
    run_created: (event) => (this.startMs = timeOf(event)),
    model_asked: (event) => this.asked(event),
    plan_ready: (event) => {
      this.plan = event.data['plan'] as AgentPlan;
      this.endPlanning(event, false);
    },
    plan_approved: ({ data }) => (this.plan = (data['plan'] as AgentPlan | undefined) ?? this.plan),
    step_start: (event) => {
      const { attempt } = event.data;
      this.started.set(positionKey(event), { startMs: timeOf(event), attempt: Number(attempt) });
    },
    step_retry: (event) => this.endAttempt(event, 'failed'),
    step_complete: (event) => this.endAttempt(event, String(event.data['status'])),
  };

  private add(span: Part): void {
    const traceId = this.run.runId.replaceAll('-', '');
    this.emit({ traceId, spanId: newId(), parentId: this.root, ...span });
  }

  private asked(event: RunEvent): void {
    const { inputTokens, outputTokens, durationMs, purpose } = event.data;
    const isAnswer = purpose === 'answer';
    if (!isAnswer) this.planning.requests += 1;
    const endMs = timeOf(event);
    this.add({
      name: isAnswer ? 'agent.answer.request' : 'agent.plan.request',
      parentId: isAnswer ? this.root : this.planning.spanId,
      failed: false,
      startMs: endMs - Number(durationMs),
      endMs,
      attributes: {
        'gen_ai.usage.input_tokens': Number(inputTokens),
        'gen_ai.usage.output_tokens': Number(outputTokens),
      },
    });
  }

  private endPlanning(event: RunEvent, failed: boolean): void {
    const { spanId, requests, ended } = this.planning;
    if (requests === 0 || ended) return;
    this.planning.ended = true;
    const attributes = { 'host.plan.requests': requests };
    const times = { startMs: this.startMs, endMs: timeOf(event) };
    this.add({ name: 'agent.plan', spanId, ...times, attributes, failed });
  }

  private endAttempt(event: RunEvent, status: string): void {
    const { index: stepIndex, element, code } = event.data;
    const index = Number(stepIndex);
    const endMs = timeOf(event);
    const { startMs, attempt } = this.started.get(positionKey(event)) ?? {
      startMs: endMs,
      attempt: 0,
    };
    this.started.delete(positionKey(event));
    const step = this.plan?.steps[index];
    const attributes = {
      'host.step.id': step?.id ?? `step-${index}`,
      'host.step.index': index,
      ...(typeof element === 'number' ? { 'host.step.element': element } : {}),
      'host.step.tool': step?.tool ?? '',
      'host.step.attempt': attempt,
      'host.step.status': status,
      ...(typeof code === 'string' ? { 'error.type': code } : {}),
    };
    this.add({ name: 'agent.step', startMs, endMs, attributes, failed: status === 'failed' });
  }

  private end(event: RunEvent, status: string): void {
    const { runId, posture, parentRunId, batchId, workflowId } = this.run;
    this.endPlanning(event, true);
    const attributes = {
      'host.run.id': runId,
      'host.run.status': status,
      'host.run.posture': posture,
      'host.run.steps': this.plan?.steps.length ?? 0,
      ...(parentRunId === null ? {} : { 'host.run.parent': parentRunId }),
      ...(batchId === null ? {} : { 'host.run.batch': batchId }),
      ...(workflowId === null ? {} : { 'host.run.workflow': workflowId }),
    };
    this.add({
      name: 'agent.run',
      spanId: this.root,
      parentId: null,
      attributes,
      startMs: this.startMs,
      endMs: timeOf(event),
      failed: status === 'failed',
    });
  }
}
