import { isTransient } from '../../core/session/is-transient.ts';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import { untilVisible, whileVisible } from '../../core/page-visibility.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { Turn } from './turn.ts';
import { afterEvent, afterSnapshot, isRunning } from './turn.ts';

/** Events that come together are shown together. */
const gatherMs = 33;
/** How often a turn is asked for whose events are not received. */
const askMs = 500;
/** A browser opens six connections to one host; further turns are asked for again and again. */
const maxStreams = 2;

export interface FollowTurnOptions {
  client: Client;
  /** The turn as it is known; it has its `streamId`. */
  turn: Turn;
  onChange: (turn: Turn) => void;
  signal: AbortSignal;
}

let streams = 0;

/**
 * Follows a turn to its end while the page is visible. A connection that breaks is made anew and goes on
 * after the last event. Resolves with the turn as it ended; rejects with the abort reason, or when the
 * service no longer has it.
 */
export async function followTurn(options: FollowTurnOptions): Promise<Turn> {
  const { client, signal, onChange } = options;
  const params = { streamId: options.turn.streamId ?? '' };
  let known: KnownTurn = { turn: options.turn, sequence: 0 };
  for (let failures = 0; ;) {
    await untilVisible(signal);
    if (streams < maxStreams) known = await receiveEvents(options, known);
    signal.throwIfAborted();
    try {
      const snapshot = await client.call(api.chat.show, { params, signal });
      known = { turn: afterSnapshot(known.turn, snapshot), sequence: snapshot.sequence };
      failures = 0;
      // Its end is told by what this resolves with, so that nothing is shown in between.
      if (!isRunning(known.turn)) return known.turn;
      onChange(known.turn);
    } catch (error) {
      if (!isTransient(error)) throw error;
      failures += 1;
    }
    await wait(failures === 0 ? askMs : backOffMs(failures), signal);
  }
}

interface KnownTurn {
  turn: Turn;
  /** The number of the last event that is in it. */
  sequence: number;
}

/** The turn after all events until the stream ended, for whatever reason. */
async function receiveEvents(options: FollowTurnOptions, from: KnownTurn): Promise<KnownTurn> {
  const { client, onChange, signal } = options;
  let { turn, sequence } = from;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    timer = undefined;
    if (!signal.aborted) onChange(turn);
  };
  const params = { streamId: turn.streamId ?? '' };
  const query = { after: String(sequence) };
  streams += 1;
  try {
    await whileVisible(signal, async (visible) => {
      const input = { params, query, signal: visible };
      for await (const event of client.stream(api.runStreams.turn, input)) {
        turn =
          event.event === 'snapshot' ? afterSnapshot(turn, event.data) : afterEvent(turn, event);
        ({ sequence } = event.data);
        timer ??= setTimeout(show, gatherMs);
      }
    });
  } catch {
    // Ended or broken: the service tells how the turn stands.
  } finally {
    streams -= 1;
    clearTimeout(timer);
  }
  return { turn, sequence };
}
