import type { Workflow } from '../../../contract/index.ts';
import {
  failure,
  jsonResult,
  type Tool,
  type ToolCall,
  type ToolResult,
  type ToolSource,
} from '../../tools/index.ts';
import { type RunStarter, runWorkflow } from '../run-workflow.ts';
import type { WorkflowBook } from '../workflow-book.ts';

const maxDescription = 2_000;

/** Each published workflow is a tool; the list is read again when one has changed. */
export function workflowTools(book: WorkflowBook, starter: RunStarter): ToolSource {
  let listed: Promise<readonly Tool[]> | null = null;
  book.changed.subscribe(() => (listed = null));
  const list = async (): Promise<readonly Tool[]> => {
    const published = await book.listPublished();
    return published.map((workflow) => toolOf(workflow, book, starter));
  };
  return {
    list() {
      const reading = (listed ??= list());
      reading.catch(() => (listed = null));
      return reading;
    },
  };
}

type Listed = Awaited<ReturnType<WorkflowBook['listPublished']>>[number];

function toolOf(
  { id, name, description, inputSchema }: Listed,
  book: WorkflowBook,
  starter: RunStarter,
): Tool {
  return {
    name: `run_workflow_${id}`,
    workflowId: id,
    description: `Runs the workflow “${name}”. ${description}`.slice(0, maxDescription).trim(),
    inputSchema: { ...inputSchema, type: 'object' },
    // Its steps may do anything: whoever lets it run has let them run.
    effect: 'external',
    checksArguments: true,
    run: async (call) => runToEnd(await book.show(id), call, starter),
  };
}

async function runToEnd(
  workflow: Workflow,
  call: ToolCall,
  starter: RunStarter,
): Promise<ToolResult> {
  const { caller, signal, onProgress, arguments: inputs } = call;
  if (!workflow.published) return failure('This workflow is not published any more.');
  if (!caller) return failure('A workflow runs under the permissions of a chat or a run.');
  const config = { permissionMode: caller.mode, planApproval: false };
  const { runId, ended } = await runWorkflow(workflow, { inputs, config }, starter, caller);
  onProgress?.(`Run ${runId} has begun.`);
  const stop = (): void => void starter.cancel(runId).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { status, summary = '', error = '' } = await ended;
    signal.throwIfAborted();
    if (status !== 'completed') return failure(`The workflow ended as ${status}. ${error}`.trim());
    const { executions } = await starter.show(runId);
    const results = executions.map(({ result }) => result ?? null);
    return jsonResult({ runId, summary, results });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
