import type { RunEvent, RunStatus } from '../../../contract/index.ts';
import type { Message } from '../../../messages/index.ts';
import { endTypes } from './executions-of.ts';
import type { RunRow } from './run-row.ts';
import type { RunStore } from './run-store.ts';

const statusOf: Record<string, RunStatus> = {
  complete: 'completed',
  error: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

/**
 * Finishes the rows of runs that an earlier host left: those with a stored end event get its
 * outcome, all others are interrupted. Safe to repeat after an interruption.
 */
export async function recoverRuns(store: RunStore): Promise<void> {
  for (const row of await store.unended()) await finishRow(store, row);
}

/**
 * Finishes one row by its end event, which is first stored with `type` if it is missing. Returns
 * the finished row.
 */
export async function finishRow(
  store: RunStore,
  row: RunRow,
  type: 'interrupted' | 'cancelled' = 'interrupted',
): Promise<RunRow> {
  const events = await store.events(row.runId);
  const end = events.findLast((event) => endTypes.includes(event.type));
  const last = end ?? { ...interruption(events), type };
  if (!end) await store.addEvent(row.runId, last, JSON.stringify(last.data));
  const { summary, summaryMessage, message, text } = last.data as EndData;
  const finished: RunRow = {
    ...row,
    status: statusOf[last.type] ?? 'interrupted',
    finishedAt: last.at,
    updatedAt: last.at,
    summary: summaryMessage ?? summary ?? null,
    error: text ?? message ?? null,
  };
  await store.update(finished);
  return finished;
}

interface EndData {
  summary?: string;
  summaryMessage?: Message;
  message?: string;
  text?: Message;
}

const interruption = (events: readonly RunEvent[]): RunEvent => ({
  sequence: events.length,
  at: new Date().toISOString(),
  type: 'interrupted',
  data: {},
});
