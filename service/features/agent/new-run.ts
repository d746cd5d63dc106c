import { randomUUID } from 'node:crypto';
import type { AgentPlan, Posture } from '../../contract/index.ts';
import type { ToolCaller } from '../tools/index.ts';
import type { Inherited } from './run/inherited.ts';
import type { RunOrder, RunRow } from './runs/run-row.ts';

/** Everything a new run is created from. */
export interface NewRun {
  /** Default: a random UUID. */
  runId?: string;
  goal: string;
  order: RunOrder;
  plan?: AgentPlan | null;
  planApproval: boolean;
  parentRunId?: string;
  batchId?: string;
  workflowId?: string;
  inherited?: Inherited;
  /**
   * Set if a model started the run by a tool call: its permissions apply, and no step asks the
   * user.
   */
  caller?: ToolCaller;
}

export function newRow(made: NewRun, posture: Posture): RunRow {
  const now = new Date().toISOString();
  return {
    runId: made.runId ?? randomUUID(),
    goal: made.goal,
    status: 'planning',
    request: made.order,
    posture,
    plan: made.plan ?? null,
    summary: null,
    error: null,
    parentRunId: made.parentRunId ?? null,
    batchId: made.batchId ?? null,
    workflowId: made.workflowId ?? null,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  };
}
