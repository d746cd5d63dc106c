import { z } from 'zod';
import { ApprovalDecision, CallQuestion } from './chat.ts';
import { HostMessage } from './host-message.ts';
import { AgentConfig, AgentPlan, PlanStep } from './plans.ts';

export const RunStatus = z.enum([
  'planning',
  'awaiting_plan_approval',
  'running',
  'awaiting_step_approval',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
]);
export type RunStatus = z.output<typeof RunStatus>;

export const StepStatus = z.enum([
  'pending',
  'running',
  'awaiting_approval',
  'completed',
  'failed',
  'skipped',
  'cancelled',
  'unknown',
]);
export type StepStatus = z.output<typeof StepStatus>;

/** The isolation of plugins when the run was created. */
export const Posture = z.enum(['sandboxed', 'unsandboxed']);
export type Posture = z.output<typeof Posture>;

export const RunSummary = z.object({
  runId: z.string(),
  goal: z.string(),
  status: RunStatus,
  createdAt: z.string(),
  updatedAt: z.string(),
  finishedAt: z.string().optional(),
  summary: z.string().optional(),
  summaryMessage: HostMessage.optional(),
  error: z.string().optional(),
  errorMessage: HostMessage.optional(),
  /** The run that this one continues. */
  parentRunId: z.string().optional(),
  batchId: z.string().optional(),
  workflowId: z.string().optional(),
  posture: Posture,
  /** If several hosts share the runs: the host that executes it, or did last. */
  host: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type RunSummary = z.output<typeof RunSummary>;

/** The approval that allowed a step. */
export const StepApproval = z.object({
  by: z.enum(['rule', 'mode', 'person']),
  decision: ApprovalDecision.optional(),
  rule: z.string().optional(),
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
});
export type StepApproval = z.output<typeof StepApproval>;

export const StepExecution = z.object({
  index: z.int(),
  /** Zero-based, for a step with `forEach`; absent: the whole step. */
  element: z.int().optional(),
  /** Length of the list of the step; only set for the whole step. */
  elementCount: z.int().optional(),
  stepId: z.string(),
  status: StepStatus,
  /** 0 before the first attempt. */
  attempt: z.int(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  /** Structured result of the tool, otherwise its text. */
  result: z.unknown().optional(),
  /**
   * Size of a result that was shortened, in bytes; `result` is then the text of its beginning and
   * end.
   */
  cutBytes: z.int().optional(),
  error: z.string().optional(),
  errorMessage: HostMessage.optional(),
  /** Data next to `error`, such as the response of the tool or a schema. */
  details: z.string().optional(),
  approval: StepApproval.optional(),
  /** Copied from the previous run; it did not run again. */
  inherited: z.boolean().optional(),
});
export type StepExecution = z.output<typeof StepExecution>;

export const PlanGate = z.object({
  runId: z.string(),
  gateId: z.string(),
  gate: z.literal('plan'),
  plan: AgentPlan,
  /** Steps that were completed in the previous run and do not run again. */
  completed: z.array(z.int()),
  /** Steps that may have been completed or not; approving the plan runs them again. */
  unknown: z.array(z.int()),
  /** Completed elements of steps with `forEach` that were not completed as a whole. */
  completedElements: z
    .array(z.object({ index: z.int(), elements: z.array(z.int()), elementCount: z.int() }))
    .optional(),
});
export type PlanGate = z.output<typeof PlanGate>;

export const StepGate = CallQuestion.extend({
  runId: z.string(),
  gateId: z.string(),
  gate: z.literal('step'),
  index: z.int(),
  /** Zero-based, for a step with `forEach`. */
  element: z.int().optional(),
  step: PlanStep,
  /** With every reference replaced by its value. */
  arguments: z.record(z.string(), z.unknown()),
});
export type StepGate = z.output<typeof StepGate>;

export const Gate = z.discriminatedUnion('gate', [PlanGate, StepGate]);
export type Gate = z.output<typeof Gate>;

export const RunEvent = z.object({
  /** From 0, without gaps. */
  sequence: z.int(),
  at: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type RunEvent = z.output<typeof RunEvent>;

/** Requests and tokens for drafting the plan and writing the answer. */
export const RunUsage = z.object({
  requests: z.int(),
  inputTokens: z.int(),
  /** As reported by the server, otherwise estimated from the output. */
  outputTokens: z.int(),
});
export type RunUsage = z.output<typeof RunUsage>;

export const RunDetails = RunSummary.extend({
  /** Data next to `error`, such as the response of the failed tool or a schema. */
  details: z.string().optional(),
  /** Written answer, for a completed run whose plan the model drafted. */
  answer: z.string().optional(),
  config: AgentConfig,
  capabilityMode: z.enum(['read-only']).optional(),
  plan: AgentPlan.nullable(),
  /** One entry per step by index, then one per element of steps with `forEach`. */
  executions: z.array(StepExecution),
  /** Step results are only in `executions`. */
  events: z.array(RunEvent),
  usage: RunUsage.optional(),
  /** Open decisions of a person, oldest first. */
  gates: z.array(Gate),
  /** Id of the oldest gate. */
  gateId: z.string().optional(),
});
export type RunDetails = z.output<typeof RunDetails>;

export const runFormat = 'plugin-host-run';

/** An exported run. */
export const RunDocument = RunDetails.extend({
  format: z.literal(runFormat),
  version: z.literal(1),
  hostVersion: z.string(),
});
export type RunDocument = z.output<typeof RunDocument>;
