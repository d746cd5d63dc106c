import type { Client } from '../../service/client/index.ts';
import { ServiceError } from '../../service/client/index.ts';
import type { RunDetails } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import { backOffMs, wait } from '../wait.ts';
import type { AgentEvent } from './run-state.ts';
import { isOver } from './run-state.ts';

/** How often a run is asked for whose stream somebody else reads. */
const askMs = 500;
/** Reading may take no more than this part of the time. */
const pausePerReading = 4;

export interface Following {
  client: Client;
  runId: string;
  /** Whether its stream may be free: one reader can have it once. */
  fresh: boolean;
  onEvent: (event: AgentEvent) => void;
  onRead: (details: RunDetails) => void;
  signal: AbortSignal;
}

/**
 * Follows a run to its end: by its stream, and where that is taken by asking again and again. Resolves
 * when the run is over; rejects with the abort reason, or when the run cannot be read.
 */
export async function followRun(following: Following): Promise<void> {
  const { client, runId, signal, onRead } = following;
  if (following.fresh) await readStream(following);
  for (let failures = 0; ;) {
    signal.throwIfAborted();
    const startedMs = performance.now();
    try {
      const details = await client.call(api.agent.show, { params: { runId }, signal });
      failures = 0;
      onRead(details);
      if (isOver(details)) return;
    } catch (error) {
      if (!isPassing(error)) throw error;
      failures += 1;
    }
    const pauseMs = Math.max(askMs, (performance.now() - startedMs) * pausePerReading);
    await wait(failures === 0 ? pauseMs : backOffMs(failures), signal);
  }
}

async function readStream({ client, runId, onEvent, signal }: Following): Promise<void> {
  try {
    const query = { runId };
    for await (const event of client.stream(api.runStreams.agent, { query, signal }))
      onEvent(event);
  } catch {
    // Ended, broken, or read by another window: whatever it is, the service tells how the run stands.
  }
}

/** Whether it may go better a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.problem.status === 0 || error.problem.status >= 500
    : error instanceof DOMException && error.name === 'TimeoutError';
