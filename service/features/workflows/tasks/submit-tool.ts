import {
  failure,
  jsonResult,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '../../tools/index.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { type RunStarter, runWorkflow } from '../run-workflow.ts';
import type { WorkflowService } from '../workflow-service.ts';
import { unattendedWorkflow } from '../tools/unattended-workflow.ts';
import type { WorkflowTasks } from './workflow-tasks.ts';

const maxNamed = 20;

/** Starts a run in the background, with the permission mode of the call and gates of its own. */
export function submitTool(
  workflowService: WorkflowService,
  tasks: WorkflowTasks,
  starter: RunStarter,
): Tool {
  return {
    name: 'task_submit_workflow',
    description:
      'Starts a published workflow in the background and answers {taskId, runId} at once, for task_output, task_wait and task_kill. The user decides over its steps in the run; one that nobody decides over for ten minutes fails.',
    inputSchema: {
      type: 'object',
      properties: {
        workflowId: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'The id, which is what stands behind run_workflow_ in the name of its tool.',
        },
        inputs: { type: 'object', description: 'As its tool run_workflow_<id> takes them.' },
      },
      required: ['workflowId'],
      additionalProperties: false,
    },
    effect: 'external',
    runsWorkflow: unattendedWorkflow,
    run: (call) => submit(call, { workflowService, tasks, starter }),
  };
}

interface Ports {
  workflowService: WorkflowService;
  tasks: WorkflowTasks;
  starter: RunStarter;
}

async function submit(
  call: ToolCall,
  { workflowService, tasks, starter }: Ports,
): Promise<ToolResult> {
  const { workflowId, inputs = {} } = call.arguments as { workflowId: string; inputs?: object };
  const { caller } = call;
  if (!caller) return failure(msg('workflow.callerNeeded'));
  const workflow = await workflowService.find(workflowId);
  if (!workflow)
    return failure(
      msg('workflow.unknownId', { id: workflowId, published: await published(workflowService) }),
    );
  if (!workflow.published)
    return failure(
      msg('workflow.notPublished', {
        name: workflow.name,
        published: await published(workflowService),
      }),
    );
  const order = {
    inputs: { ...inputs },
    trigger: 'task' as const,
    config: { permissionMode: caller.mode, planApproval: false },
  };
  const started = await tasks.add(workflow.name, () => runWorkflow(workflow, order, starter));
  return jsonResult(started);
}

async function published(workflowService: WorkflowService): Promise<Message> {
  const all = await workflowService.list({ published: true });
  if (all.length === 0) return msg('workflow.nonePublished');
  const names = all.slice(0, maxNamed).map(({ id, name }) => `${id} (${name})`);
  return msg('workflow.publishedOnes', { names, more: all.length - names.length });
}
