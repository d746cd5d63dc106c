import type { Tool } from '../tools/index.ts';

/** The workflow that a turn is bound to. */
export interface BoundWorkflow {
  workflowId: string;
  /** Its description for the model. */
  text: string;
  /** The tool that runs its current version. */
  tool(): Promise<Tool>;
}

/** Finds workflows that turns can be bound to. */
export interface WorkflowSource {
  /**
   * `windowTokens` is the context window of the model, if it is known.
   * @throws HostError 404 `unknown_workflow`
   */
  bind(workflowId: string, windowTokens: number): Promise<BoundWorkflow>;
}

/** The additional tools of a turn that is bound to a workflow. */
export const boundWorkflowTools = (workflow: BoundWorkflow | null): (() => Promise<Tool>)[] =>
  workflow === null ? [] : [() => workflow.tool()];
