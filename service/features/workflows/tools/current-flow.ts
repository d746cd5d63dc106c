import type { Workflow } from '../../../contract/index.ts';
import { failure, type KnownTool, type Tool } from '../../tools/index.ts';
import type { RunStarter } from '../run-workflow.ts';
import { noInputs } from '../definition/input-schema.ts';
import type { WorkflowBook } from '../workflow-book.ts';
import { flowText } from './flow-text.ts';
import { runToEnd } from './run-to-end.ts';
import { workflowToolName } from './workflow-tools.ts';

const maxDescription = 2_000;

/** Offered by turns that are bound to a workflow; which one, only they know. */
export const currentFlow = {
  name: 'run_current_flow',
  effect: 'external',
  runsWorkflow: () => undefined,
} as const satisfies KnownTool;

/** A flow, draft or published, as a turn of the chat is bound to it. */
export interface BoundFlow {
  workflowId: string;
  /** What a model is told of it. */
  text: string;
  /** `run_current_flow`, made from the newest definition. */
  tool(): Promise<Tool>;
}

/** @throws HostError 404 `unknown_workflow` */
export async function bindFlow(
  workflowId: string,
  windowTokens: number,
  { book, starter }: { book: WorkflowBook; starter: RunStarter },
): Promise<BoundFlow> {
  const made = (workflow: Workflow): Tool => toolOf(workflow, book, starter);
  let known = await book.show(workflowId);
  let tool = made(known);
  return {
    workflowId,
    text: flowText(known, windowTokens),
    async tool() {
      const now = await book.find(workflowId);
      if (now && now.revision !== known.revision) [known, tool] = [now, made(now)];
      return tool;
    },
  };
}

function toolOf(workflow: Workflow, book: WorkflowBook, starter: RunStarter): Tool {
  const { id, name, description } = workflow;
  // The inputs of a draft that is not whole may be nothing that a model server takes.
  const inputSchema = workflow.plan.steps.length === 0 ? noInputs : workflow.inputSchema;
  return {
    ...currentFlow,
    runsWorkflow: () => ({ tool: workflowToolName(id), grants: true }),
    workflowId: id,
    description: `Runs the workflow “${name}”, which the user has open. ${description}`
      .slice(0, maxDescription)
      .trim(),
    inputSchema: { ...inputSchema, type: 'object' },
    checksArguments: true,
    async run(call) {
      const exists = (await book.find(id)) !== null;
      if (!exists) return failure('This workflow was removed, so it cannot be run any more.');
      return runToEnd(await book.whole(id), call, starter);
    },
  };
}
