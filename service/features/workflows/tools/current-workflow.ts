import type { Workflow } from '../../../contract/index.ts';
import { msg } from '../../../messages/index.ts';
import { failure, type KnownTool, type Tool } from '../../tools/index.ts';
import type { RunStarter } from '../run-workflow.ts';
import { noInputs } from '../definition/input-schema.ts';
import type { WorkflowService } from '../workflow-service.ts';
import { workflowText } from './workflow-text.ts';
import { runToEnd } from './run-to-end.ts';
import { workflowToolName } from './workflow-tools.ts';

const maxDescription = 2_000;

/** Offered in turns that are bound to a workflow; only the turn knows which one. */
export const currentWorkflow = {
  name: 'run_current_flow',
  effect: 'external',
  runsWorkflow: () => undefined,
} as const satisfies KnownTool;

/** A workflow, draft or published, that a turn of the chat is bound to. */
export interface BoundWorkflow {
  workflowId: string;
  /** The description for the model. */
  text: string;
  /** Returns `run_current_flow` for the newest definition. */
  tool(): Promise<Tool>;
}

/** @throws HostError 404 `unknown_workflow` */
export async function bindWorkflow(
  workflowId: string,
  windowTokens: number,
  { workflowService, starter }: { workflowService: WorkflowService; starter: RunStarter },
): Promise<BoundWorkflow> {
  const made = (workflow: Workflow): Tool => toolOf(workflow, workflowService, starter);
  let latest = await workflowService.show(workflowId);
  let tool = made(latest);
  return {
    workflowId,
    text: workflowText(latest, windowTokens),
    async tool() {
      const now = await workflowService.find(workflowId);
      if (now && now.revision !== latest.revision) [latest, tool] = [now, made(now)];
      return tool;
    },
  };
}

function toolOf(workflow: Workflow, workflowService: WorkflowService, starter: RunStarter): Tool {
  const { id, name, description } = workflow;
  // The inputs of an incomplete draft may be invalid for a model server.
  const inputSchema = workflow.plan.steps.length === 0 ? noInputs : workflow.inputSchema;
  return {
    ...currentWorkflow,
    runsWorkflow: () => ({ tool: workflowToolName(id), grants: true }),
    workflowId: id,
    description: `Runs the workflow “${name}”, which the user has open. ${description}`
      .slice(0, maxDescription)
      .trim(),
    inputSchema: { ...inputSchema, type: 'object' },
    checksArguments: true,
    async run(call) {
      const exists = (await workflowService.find(id)) !== null;
      if (!exists) return failure(msg('workflow.removed'));
      return runToEnd(await workflowService.whole(id), call, starter);
    },
  };
}
