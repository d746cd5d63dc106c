import type { Workflow } from '../../../contract/index.ts';
import { msg, textOf } from '../../../messages/index.ts';
import { failure, jsonResult, type ToolCall, type ToolResult } from '../../tools/index.ts';
import { type RunStarter, runWorkflow } from '../run-workflow.ts';

/** Runs a definition within a call, with its permissions; the run ends with the call. */
export async function runToEnd(
  workflow: Workflow,
  call: ToolCall,
  starter: RunStarter,
): Promise<ToolResult> {
  const { caller, signal, onProgress, arguments: inputs } = call;
  if (!caller) return failure(msg('workflow.callerNeeded'));
  const config = { permissionMode: caller.mode, planApproval: false };
  const { runId, ended } = await runWorkflow(workflow, { inputs, config }, starter, caller);
  onProgress?.(`Run ${runId} has begun.`);
  const stop = (): void => void starter.cancel(runId).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { status, summary = '', error = '' } = await ended;
    signal.throwIfAborted();
    if (status !== 'completed')
      return failure(
        error === ''
          ? msg('workflow.endedAs', { status })
          : msg('workflow.endedBecause', { status, error }),
      );
    const { executions } = await starter.show(runId);
    const results = executions
      .filter(({ element }) => element === undefined)
      .map(({ result }) => result ?? null);
    return jsonResult({ runId, summary: textOf(summary), results });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
