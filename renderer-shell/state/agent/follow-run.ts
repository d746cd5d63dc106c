import { isPassing } from '../../core/session/is-passing.ts';
import type { Client } from '../../../service/client/index.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { untilSeen, whileSeen } from '../../core/seen.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { FollowedEvent } from './run-state.ts';
import { isOver, lastSequence } from './run-state.ts';

export interface Following {
  client: Client;
  runId: string;
  onHeard: (heard: FollowedEvent) => void;
  onRead: (details: RunDetails) => void;
  signal: AbortSignal;
}

/**
 * Follows a run to its end: reads it, and hears what happens from there on while the page is seen. A
 * connection that breaks is made anew. Resolves when the run is over; rejects with the abort reason, or
 * when the run cannot be read.
 */
export async function followRun(following: Following): Promise<void> {
  const { client, runId, signal, onRead } = following;
  for (let failures = 0; ;) {
    await untilSeen(signal);
    try {
      const details = await client.call(api.agent.show, { params: { runId }, signal });
      onRead(details);
      if (isOver(details)) return;
      failures = (await hear(following, lastSequence(details))) ? 0 : failures + 1;
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      failures += 1;
    }
    if (failures > 0) await wait(backOffMs(failures), signal);
  }
}

/** Whether it told anything, or ended because nobody looks. */
async function hear({ client, runId, signal, onHeard }: Following, after: number) {
  let told = false;
  return whileSeen(signal, async (seen) => {
    const input = { params: { runId }, query: { after: String(after) }, signal: seen };
    try {
      for await (const heard of client.stream(api.runStreams.follow, input)) {
        told = true;
        onHeard(heard);
      }
    } catch {
      // However it broke, reading the run tells how it stands.
    }
    return told || seen.aborted;
  });
}
