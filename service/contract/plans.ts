import { z } from 'zod';
import { Effect } from './manifest.ts';
import { PermissionMode } from './settings.ts';

/** Of a plan; a workflow holds fewer. */
export const maxPlanSteps = 1_000;

/** Most elements of the list of a step with `forEach`. */
export const maxElements = 1_000;

const seconds = (most: number) => z.number().min(0).max(most);

/**
 * One call of a tool. In `arguments`, `steps.N.result`, `last.result`, `node.<id>.result` and
 * `inputs.<name>`, each with a path behind it, stand for a value when they are all of a text, also in
 * `{{…}}`; inside a text they stand in `{{…}}` and become text. With `forEach`, `{{item}}` and
 * `{{index}}` (zero-based) stand for the element, too.
 */
export const PlanStep = z.object({
  id: z.string().min(1).max(200).optional(),
  title: z.string().max(500).default(''),
  tool: z.string().min(1).max(300),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** Zero-based indexes of the steps that must be done before. */
  dependsOn: z.array(z.int().min(0)).max(maxPlanSteps).default([]),
  /** What the writer of the plan believes; the tool's own word counts. */
  effect: Effect.optional(),
  retry: z
    .object({
      maxAttempts: z.int().min(1).max(20),
      delaySeconds: seconds(3_600).default(0),
    })
    .optional(),
  /** The step is left out where this does not hold. */
  when: z
    .object({
      value: z.unknown(),
      equals: z.unknown().optional(),
      notEquals: z.unknown().optional(),
      exists: z.boolean().optional(),
    })
    .optional(),
  /**
   * A list, or a reference to one: the tool is called for each of its elements, at most `maxElements`,
   * and the result is the list of results.
   */
  forEach: z.unknown().optional(),
  /**
   * `continue`: the run may still complete. What depends on the step is left out all the same. With
   * `forEach` the other elements are done, and the result has null in place of those that failed.
   */
  onFailure: z.enum(['fail', 'continue']).optional(),
  /** Longest time of one attempt; default 1 800. */
  timeoutSeconds: z.int().min(1).max(86_400).optional(),
});
export type PlanStep = z.output<typeof PlanStep>;

export const AgentPlan = z.object({
  goal: z.string().max(100_000).optional(),
  summary: z.string().max(100_000).optional(),
  steps: z.array(PlanStep).min(1).max(maxPlanSteps),
});
export type AgentPlan = z.output<typeof AgentPlan>;

export const AgentConfig = z.object({
  permissionMode: PermissionMode.optional(),
  /** Whether a person sees the plan before it runs. */
  planApproval: z.boolean().optional(),
  /** Most steps that the model may plan; default 32. */
  maxSteps: z.int().min(1).max(maxPlanSteps).optional(),
  /** Steps that run at the same time; default 4. */
  concurrency: z.int().min(1).max(64).optional(),
  /** Of steps that say nothing themselves; default 1. */
  maxAttempts: z.int().min(1).max(20).optional(),
  /** Another model of the configured server drafts the plan. */
  model: z.string().min(1).max(300).optional(),
  /** Told to the model that drafts the plan. */
  systemPrompt: z.string().max(100_000).optional(),
  /** Whether a plan that the model drafted ends with an answer in words; default true. */
  answer: z.boolean().optional(),
  /** Whether what is remembered about the goal is told to the model. */
  memory: z.boolean().optional(),
});
export type AgentConfig = z.output<typeof AgentConfig>;
