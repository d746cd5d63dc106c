import type { Tool } from '../tools/index.ts';

/** The flow that a turn is bound to. */
export interface BoundFlow {
  workflowId: string;
  /** What the model is told of it. */
  text: string;
  /** What runs it, as it is now. */
  tool(): Promise<Tool>;
}

export interface FlowSource {
  /**
   * `windowTokens`: of the model, as far as known.
   * @throws HostError 404 `unknown_workflow`
   */
  bind(workflowId: string, windowTokens: number): Promise<BoundFlow>;
}

/** What a turn that is bound to a flow has beside the tools of others. */
export const flowTools = (flow: BoundFlow | null): (() => Promise<Tool>)[] =>
  flow === null ? [] : [() => flow.tool()];
