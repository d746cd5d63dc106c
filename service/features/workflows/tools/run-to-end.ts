import type { Workflow } from '../../../contract/index.ts';
import { failure, jsonResult, type ToolCall, type ToolResult } from '../../tools/index.ts';
import { type RunStarter, runWorkflow } from '../run-workflow.ts';

/** Runs a definition within a call, under its permissions; the run ends with the call. */
export async function runToEnd(
  workflow: Workflow,
  call: ToolCall,
  starter: RunStarter,
): Promise<ToolResult> {
  const { caller, signal, onProgress, arguments: inputs } = call;
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
