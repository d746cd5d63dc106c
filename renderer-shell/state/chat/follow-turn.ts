import { isTransient } from '../../core/session/is-transient.ts';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import { untilVisible } from '../../core/page-visibility.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { Turn } from './turn.ts';
import { afterEvent, afterSnapshot, isRunning } from './turn.ts';

/** Events that come together are shown together. */
const gatherMs = 33;
/** How often a turn is asked for whose stream somebody else reads. */
const askMs = 500;

/** Options of following the stream of a turn; aborting `signal` ends it, not the turn. */
export interface FollowTurnOptions {
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
export async function followTurn(options: FollowTurnOptions): Promise<Turn> {
  const { client, signal, onChange } = options;
  let turn = options.turn;
  if (options.fresh) turn = await readStream(options);
  const params = { streamId: turn.streamId ?? '' };
  for (let failures = 0; ;) {
    signal.throwIfAborted();
    try {
      turn = afterSnapshot(turn, await client.call(api.chat.show, { params, signal }));
      failures = 0;
      // Its end is told by what this resolves with, so that nothing is shown in between.
      if (!isRunning(turn)) return turn;
      onChange(turn);
    } catch (error) {
      if (!isTransient(error)) throw error;
      failures += 1;
    }
    await wait(failures === 0 ? askMs : backOffMs(failures), signal);
    await untilVisible(signal);
  }
}

/** What the stream told until it ended, for whatever reason. */
async function readStream({ client, turn, onChange, signal }: FollowTurnOptions): Promise<Turn> {
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
