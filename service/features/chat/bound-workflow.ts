import type { Tool } from '../tools/index.ts';

/** The flow that a turn is bound to. */
export interface BoundWorkflow {
  workflowId: string;
  /** What the model is told of it. */
  text: string;
  /** What runs it, as it is now. */
  tool(): Promise<Tool>;
}

export interface WorkflowSource {
  /**
   * `windowTokens`: of the model, as far as known.
   * @throws HostError 404 `unknown_workflow`
   */
  bind(workflowId: string, windowTokens: number): Promise<BoundWorkflow>;
}

/** What a turn that is bound to a flow has beside the tools of others. */
export const boundWorkflowTools = (workflow: BoundWorkflow | null): (() => Promise<Tool>)[] =>
  workflow === null ? [] : [() => workflow.tool()];
