import type { CallGate } from '../call-gate/index.ts';
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

/** The tools of other turns, and the one that runs the flow. */
export const withFlow = (gate: CallGate, flow: BoundFlow | null): CallGate =>
  flow === null
    ? gate
    : { ...gate, tools: async () => [...(await gate.tools()), await flow.tool()] };
