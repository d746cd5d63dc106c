import type { RunEvent, RunStatus } from '../../../contract/index.ts';
import type { Message } from '../../../messages/index.ts';
import { endTypes } from './executions-of.ts';
import type { RunStore } from './run-store.ts';

const statusOf: Record<string, RunStatus> = {
  complete: 'completed',
  error: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

/**
 * Finishes the rows of runs that an earlier host left: those with a stored end event get its
 * outcome, all others are interrupted. It can be repeated after an interruption.
 */
export async function recoverRuns(store: RunStore): Promise<void> {
  for (const row of await store.unended()) {
    const events = await store.events(row.runId);
    const last = events.findLast(({ type }) => endTypes.includes(type)) ?? interruption(events);
    if (!events.includes(last)) await store.addEvent(row.runId, last, JSON.stringify(last.data));
    const { summary, summaryMessage, message, text } = last.data as EndData;
    await store.update({
      ...row,
      status: statusOf[last.type] ?? 'interrupted',
      finishedAt: last.at,
      updatedAt: last.at,
      summary: summaryMessage ?? summary ?? null,
      error: text ?? message ?? null,
    });
  }
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
