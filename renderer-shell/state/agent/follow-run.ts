import { isTransient } from '../../core/session/is-transient.ts';
import type { Client } from '../../../service/client/index.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { untilVisible, whileVisible } from '../../core/page-visibility.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { FollowedEvent } from './run-state.ts';
import { isOver, lastSequence } from './run-state.ts';

/** The run to follow and the callbacks for its changes. */
export interface FollowRunOptions {
  client: Client;
  runId: string;
  onEvent: (event: FollowedEvent) => void;
  onRead: (details: RunDetails) => void;
  signal: AbortSignal;
}

/**
 * Follows a run to its end: reads it, then receives its events while the page is visible.
 * Reconnects when the connection breaks. Resolves when the run is over; rejects with the abort
 * reason, or when the run cannot be read.
 */
export async function followRun(options: FollowRunOptions): Promise<void> {
  const { client, runId, signal, onRead } = options;
  for (let failures = 0; ;) {
    await untilVisible(signal);
    try {
      const details = await client.call(api.agent.show, { params: { runId }, signal });
      onRead(details);
      if (isOver(details)) return;
      failures = (await receiveEvents(options, lastSequence(details))) ? 0 : failures + 1;
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      failures += 1;
    }
    if (failures > 0) await wait(backOffMs(failures), signal);
  }
}

/** Returns true if events arrived, or if the stream ended because the page was hidden. */
async function receiveEvents({ client, runId, signal, onEvent }: FollowRunOptions, after: number) {
  let received = false;
  return whileVisible(signal, async (seen) => {
    const input = { params: { runId }, query: { after: String(after) }, signal: seen };
    try {
      for await (const event of client.stream(api.runStreams.follow, input)) {
        received = true;
        onEvent(event);
      }
    } catch {
      // Whatever the cause, reading the run next shows its state.
    }
    return received || seen.aborted;
  });
}
