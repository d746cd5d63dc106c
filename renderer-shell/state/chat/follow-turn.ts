import { isPassing } from '../../core/session/is-passing.ts';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import { untilSeen } from '../../core/seen.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { Turn } from './turn.ts';
import { afterEvent, asTold, isRunning } from './turn.ts';

/** Events that come together are shown together. */
const gatherMs = 33;
/** How often a turn is asked for whose stream somebody else reads. */
const askMs = 500;

export interface Following {
  client: Client;
  /** The turn as it is known; it has its `streamId`. */
  turn: Turn;
  /** Whether the stream was not read yet. */
  fresh: boolean;
  onChange: (turn: Turn) => void;
  signal: AbortSignal;
}

/**
 * Follows a turn to its end: by its stream, which one reader can have once, else by asking again and
 * again while the page is seen. Resolves with the turn as it ended; rejects with the abort reason, or
 * when it is not known any more.
 */
export async function followTurn(following: Following): Promise<Turn> {
  const { client, signal, onChange } = following;
  let turn = following.turn;
  if (following.fresh) turn = await readStream(following);
  const params = { streamId: turn.streamId ?? '' };
  for (let failures = 0; ;) {
    signal.throwIfAborted();
    try {
      turn = asTold(turn, await client.call(api.chat.show, { params, signal }));
      failures = 0;
      // Its end is told by what this resolves with, so that nothing is shown in between.
      if (!isRunning(turn)) return turn;
      onChange(turn);
    } catch (error) {
      if (!isPassing(error)) throw error;
      failures += 1;
    }
    await wait(failures === 0 ? askMs : backOffMs(failures), signal);
    await untilSeen(signal);
  }
}

/** What the stream told until it ended, for whatever reason. */
async function readStream({ client, turn, onChange, signal }: Following): Promise<Turn> {
  let now = turn;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    timer = undefined;
    if (!signal.aborted) onChange(now);
  };
  try {
    const query = { streamId: turn.streamId ?? '' };
    for await (const event of client.stream(api.runStreams.chat, { query, signal })) {
      now = afterEvent(now, event);
      timer ??= setTimeout(show, gatherMs);
    }
  } catch {
    // Ended, broken, or read by another page: whatever it is, the service tells how the turn stands.
  } finally {
    clearTimeout(timer);
  }
  return now;
}
