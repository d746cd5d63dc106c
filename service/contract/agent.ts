import { z } from 'zod';
import { CallDecision, ChatFile } from './chat.ts';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { AgentConfig, AgentPlan, maxPlanSteps, PlanStep } from './plans.ts';
import {
  PlanGate,
  RunDetails,
  RunDocument,
  RunStatus,
  RunSummary,
  StepApproval,
  StepGate,
  StepStatus,
} from './runs.ts';

const Goal = z.string().trim().min(1).max(100_000);

export const RunRequest = z.object({
  goal: Goal,
  config: AgentConfig.default({}),
  workflow: AgentPlan.optional(),
  files: z.array(ChatFile).max(100).optional(),
});
export type RunRequest = z.output<typeof RunRequest>;

export const BatchRequest = z.object({
  goals: z.array(Goal).min(1).max(8),
  config: AgentConfig.default({}),
  capabilityMode: z.enum(['read-only']).optional(),
});
export type BatchRequest = z.output<typeof BatchRequest>;

export const GateDecision = CallDecision.extend({
  /**
   * The step that the decision is for, if several wait. Default: the one that has waited longest.
   */
  index: z.int().min(0).optional(),
  /** With `index`: the element of a step with `forEach`. */
  element: z.int().min(0).optional(),
});
export type GateDecision = z.output<typeof GateDecision>;

/** A step by its index; `element` is set for elements of a step with `forEach`. */
const StepTarget = z.object({ index: z.int(), element: z.int().optional() });
const StepEvent = StepTarget.extend({ step: PlanStep });

/**
 * Events of an agent stream. Each event is stored before it is sent, except the first and the last
 * two.
 */
export const agentEvents = {
  plan_token: z.object({ text: z.string() }),
  /** Part of the written answer, after the steps. */
  answer_token: z.object({ text: z.string() }),
  plan_ready: z.object({ plan: AgentPlan }),
  plan_approval_requested: PlanGate,
  plan_approved: z.object({ gateId: z.string(), edited: z.boolean() }),
  step_approval_requested: StepGate,
  step_approved: StepTarget.extend(StepApproval.shape),
  step_start: StepEvent.extend({
    attempt: z.int(),
    /** Length of the list of a step with `forEach`; sent before its elements start. */
    elementCount: z.int().optional(),
  }),
  step_retry: StepTarget.extend({
    attempt: z.int(),
    error: z.string(),
    errorMessage: HostMessage.optional(),
    details: z.string().optional(),
  }),
  step_skipped: StepTarget.extend({
    reason: z.string(),
    reasonMessage: HostMessage.optional(),
  }),
  step_complete: StepEvent.extend({
    success: z.boolean(),
    status: StepStatus,
    result: z.unknown().optional(),
    cutBytes: z.int().optional(),
    /** Sentence for a person; the response of the tool is in `details`. */
    error: z.string().optional(),
    errorMessage: HostMessage.optional(),
    details: z.string().optional(),
    /** Error code. */
    code: z.string().optional(),
    durationMs: z.number(),
  }),
  complete: z.object({
    runId: z.string(),
    summary: z.string(),
    summaryMessage: HostMessage.optional(),
    /** Results by step index; null for skipped steps. */
    results: z.array(z.unknown()),
    /** Written answer, for plans that the model drafted. */
    answer: z.string().optional(),
  }),
  step_progress: StepTarget.extend({ text: z.string() }),
  warning: z.object({ message: z.string(), text: HostMessage.optional() }),
} as const;

const ByRun = z.object({ runId: z.string().max(100) });
const ById = z.object({ id: z.string().max(100) });
const Started = z.object({ runId: z.string() });
const planProblems = ['invalid_plan', 'model_not_ready', 'too_many_runs', 'unknown_grant'] as const;
const againProblems = ['unknown_run', 'posture_changed', 'run_running', 'too_many_runs'] as const;
const planBodyBytes = 32 * 1024 * 1024;

export const agent = {
  run: endpoint({
    method: 'POST',
    path: '/api/agent/run',
    access: token,
    summary: 'Turn a goal, or a plan, into a run; its events come on the stream',
    body: RunRequest,
    maxBodyBytes: planBodyBytes,
    reply: Started,
    problems: planProblems,
  }),
  batch: endpoint({
    method: 'POST',
    path: '/api/agent/batch',
    access: token,
    summary: 'Up to eight goals, each a run of its own; read-only ones only look',
    body: BatchRequest,
    reply: z.object({ runIds: z.array(z.string()), batchId: z.string() }),
    problems: planProblems,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/agent/{runId}/approve',
    access: token,
    summary: 'Release what waits: without a body as it is, with an edited plan, or with a decision',
    params: ByRun,
    query: z.object({
      gateId: z.string().max(100).optional(),
      index: z.coerce.number().int().min(0).optional(),
      element: z.coerce.number().int().min(0).optional(),
    }),
    /** An empty object is the same as no body. */
    body: z.union([AgentPlan, GateDecision, z.strictObject({})]).optional(),
    maxBodyBytes: planBodyBytes,
    reply: RunSummary,
    problems: ['unknown_run', 'nothing_waits', 'stale_gate', 'invalid_plan', 'not_an_option'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/agent/{runId}/cancel',
    access: token,
    summary: 'Stop a run; what its steps have done stays done',
    params: ByRun,
    reply: RunSummary,
    problems: ['unknown_run', 'run_ended'],
  }),
  runs: endpoint({
    method: 'GET',
    path: '/api/agent/runs',
    access: token,
    summary: 'Runs, the newest first; `q` is searched for in goal, summary and error',
    query: z.object({
      q: z.string().max(1_000).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      /** Id of the last run of the previous page. */
      before: z.string().max(100).optional(),
      /** Only runs of this batch. */
      batchId: z.string().max(100).optional(),
      /** Only runs that continue this run. */
      parentRunId: z.string().max(100).optional(),
      /** Only runs of this workflow. */
      workflowId: z.string().max(100).optional(),
      /** Only runs in one of these states, separated by commas. */
      status: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(RunStatus).max(RunStatus.options.length))
        .optional(),
      /** Only runs created at this time or later. */
      since: z.iso.datetime({ offset: true }).optional(),
      /** Only runs created before this time. */
      until: z.iso.datetime({ offset: true }).optional(),
    }),
    reply: z.array(RunSummary),
    problems: ['unknown_run'],
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/agent/runs/{runId}',
    access: token,
    summary: 'A run with its plan, its executions, its events in order, and what waits',
    params: ByRun,
    reply: RunDetails,
    problems: ['unknown_run'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/agent/runs/{runId}/export',
    access: token,
    summary: 'A run with its plan, its executions and all events as one document',
    params: ByRun,
    reply: RunDocument,
    problems: ['unknown_run'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/agent/runs/{runId}',
    access: token,
    summary: 'Remove a run that has ended, with its events; what its steps did is not undone',
    params: ByRun,
    problems: ['unknown_run', 'run_running'],
  }),
  resume: endpoint({
    method: 'POST',
    path: '/api/agent/runs/{runId}/resume',
    access: token,
    summary: 'Go on with a run that failed, was cancelled or interrupted, as a new run',
    params: ByRun,
    reply: Started,
    status: 202,
    problems: [...againProblems, 'nothing_to_resume', 'resumed_already'],
  }),
  fork: endpoint({
    method: 'POST',
    path: '/api/agent/runs/{id}/fork',
    access: token,
    summary: 'A new run of the plan of a finished one, from its start or from one of its steps',
    params: ById,
    body: z
      .strictObject({
        /**
         * Runs this step again and every step that depends on it; the others keep their results.
         */
        from: z
          .int()
          .min(0)
          .max(maxPlanSteps - 1)
          .optional(),
      })
      .optional(),
    reply: Started,
    status: 202,
    problems: [...againProblems, 'unknown_step'],
  }),
  rewind: endpoint({
    method: 'POST',
    path: '/api/agent/runs/{id}/rewind',
    access: token,
    summary: 'A new run with the first steps of another; what the others did is not undone',
    params: ById,
    body: z.strictObject({ keepSteps: z.int().min(1).max(maxPlanSteps) }),
    reply: Started,
    status: 202,
    problems: [...againProblems, 'invalid_plan'],
  }),
} as const;
