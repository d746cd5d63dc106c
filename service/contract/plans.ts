import { z } from 'zod';
import { Effect } from './manifest.ts';
import { PermissionMode } from './settings.ts';

/** For plans; workflows allow fewer. */
export const maxPlanSteps = 1_000;

/** Largest number of elements of a step with `forEach`. */
export const maxElements = 1_000;

const seconds = (max: number) => z.number().min(0).max(max);

/**
 * One tool call. In `arguments`, the references `steps.N.result`, `last.result`, `node.<id>.result`
 * and `inputs.<name>`, each with an optional path, are replaced by values if they make up a whole
 * text, with or without `{{…}}`; inside a text they need `{{…}}` and become text. With `forEach`,
 * `{{item}}` and `{{index}}` (zero-based) refer to the element.
 */
export const PlanStep = z.object({
  id: z.string().min(1).max(200).optional(),
  title: z.string().max(500).default(''),
  tool: z.string().min(1).max(300),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** Zero-based indexes of the steps that must be completed first. */
  dependsOn: z.array(z.int().min(0)).max(maxPlanSteps).default([]),
  /** The effect that the author of the plan expects; the effect of the tool itself applies. */
  effect: Effect.optional(),
  retry: z
    .object({
      maxAttempts: z.int().min(1).max(20),
      delaySeconds: seconds(3_600).default(0),
    })
    .optional(),
  /** The step is skipped if this condition is false. */
  when: z
    .object({
      value: z.unknown(),
      equals: z.unknown().optional(),
      notEquals: z.unknown().optional(),
      exists: z.boolean().optional(),
    })
    .optional(),
  /**
   * A list, or a reference to one: the tool is called for each element, at most `maxElements`, and
   * the result is the list of results.
   */
  forEach: z.unknown().optional(),
  /**
   * `continue`: the run can still complete, but steps that depend on this one are skipped. With
   * `forEach`, the other elements still run, and the result contains null for each failed element.
   */
  onFailure: z.enum(['fail', 'continue']).optional(),
  /** Time limit of one attempt; default 1 800. */
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
  /** True if a person approves the plan before it runs. */
  planApproval: z.boolean().optional(),
  /** Largest number of steps that the model can plan; default 32. */
  maxSteps: z.int().min(1).max(maxPlanSteps).optional(),
  /** Steps that run in parallel; default 4. */
  concurrency: z.int().min(1).max(64).optional(),
  /** For steps without their own value; default 1. */
  maxAttempts: z.int().min(1).max(20).optional(),
  /** Model of the configured server that drafts the plan. */
  model: z.string().min(1).max(300).optional(),
  /** Instructions for the model that drafts the plan. */
  systemPrompt: z.string().max(100_000).optional(),
  /** True if a plan that the model drafted ends with a written answer; default true. */
  answer: z.boolean().optional(),
  /** True if the model receives memories about the goal. */
  memory: z.boolean().optional(),
});
export type AgentConfig = z.output<typeof AgentConfig>;
