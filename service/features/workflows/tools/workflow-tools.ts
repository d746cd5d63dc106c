import { msg } from '../../../messages/index.ts';
import { failure, type Tool, type ToolCall, type ToolSource } from '../../tools/index.ts';
import type { RunStarter } from '../run-workflow.ts';
import type { WorkflowService } from '../workflow-service.ts';
import { runToEnd } from './run-to-end.ts';

const maxDescription = 2_000;
const prefix = 'run_workflow_';
/** Generous, because the database also answers slowly on a busy machine. */
const databaseWaitMs = 5_000;

/** Returns the name of the tool that runs a workflow. */
export const workflowToolName = (id: string): string => prefix + id;

export const isWorkflowTool = (name: string): boolean => name.startsWith(prefix);

/** Offers each published workflow as a tool; the list is read again after a change. */
export function workflowTools(workflowService: WorkflowService, starter: RunStarter): ToolSource {
  let listed: Promise<readonly Tool[]> | readonly Tool[] | null = null;
  workflowService.changed.subscribe(() => (listed = null));
  const read = async (): Promise<readonly Tool[]> => {
    const published = await workflowService.list({ published: true });
    return published.map((workflow) => toolOf(workflow, workflowService, starter));
  };
  const list = (): Promise<readonly Tool[]> => {
    const reading = read();
    const keep = (tools: readonly Tool[] | null): void => {
      if (listed === reading) listed = tools;
    };
    reading.then(keep, () => keep(null));
    return reading;
  };
  return { list: () => (listed ??= list()), prefix, waitMs: databaseWaitMs };
}

type Listed = Awaited<ReturnType<WorkflowService['list']>>[number];

function toolOf(
  { id, name, description, inputSchema }: Listed,
  workflowService: WorkflowService,
  starter: RunStarter,
): Tool {
  return {
    name: workflowToolName(id),
    workflowId: id,
    description: `Runs the workflow “${name}”. ${description}`.slice(0, maxDescription).trim(),
    inputSchema: { ...inputSchema, type: 'object' },
    // Its steps may do anything, and an approval of the workflow covers them.
    effect: 'external',
    checksArguments: true,
    run: (call) => runPublished(id, call, { workflowService, starter }),
  };
}

async function runPublished(
  id: string,
  call: ToolCall,
  { workflowService, starter }: { workflowService: WorkflowService; starter: RunStarter },
) {
  const workflow = await workflowService.show(id);
  if (!workflow.published) return failure(msg('workflow.notPublishedAnyMore'));
  return runToEnd(workflow, call, starter);
}
