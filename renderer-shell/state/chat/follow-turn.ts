import { isTransient } from '../../core/session/is-transient.ts';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import { untilVisible, whileVisible } from '../../core/page-visibility.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { Turn } from './turn.ts';
import { afterEvent, afterSnapshot, isRunning } from './turn.ts';

/** Batches events that arrive within this time into one update. */
const gatherMs = 33;
/** Polling interval of a turn whose events are not received, in milliseconds. */
const pollMs = 500;
/** Browsers open six connections to one host; further turns are polled. */
const maxStreams = 2;

/** The turn to follow and the callback for its changes. */
export interface FollowTurnOptions {
  client: Client;
  /** The last known turn; it has its `streamId`. */
  turn: Turn;
  onChange: (turn: Turn) => void;
  signal: AbortSignal;
}

let streams = 0;

/**
 * Follows a turn to its end while the page is visible. Reconnects after the last received event
 * when the connection breaks. Resolves with the ended turn; rejects with the abort reason, or when
 * the service no longer has it.
 */
export async function followTurn(options: FollowTurnOptions): Promise<Turn> {
  const { client, signal, onChange } = options;
  const params = { streamId: options.turn.streamId ?? '' };
  let received: ReceivedTurn = { turn: options.turn, sequence: 0 };
  for (let failures = 0; ;) {
    await untilVisible(signal);
    if (streams < maxStreams) received = await receiveEvents(options, received);
    signal.throwIfAborted();
    try {
      const snapshot = await client.call(api.chat.show, { params, signal });
      received = { turn: afterSnapshot(received.turn, snapshot), sequence: snapshot.sequence };
      failures = 0;
      // The end is reported only by the resolved value, so that no intermediate state is rendered.
      if (!isRunning(received.turn)) return received.turn;
      onChange(received.turn);
    } catch (error) {
      if (!isTransient(error)) throw error;
      failures += 1;
    }
    await wait(failures === 0 ? pollMs : backOffMs(failures), signal);
  }
}

interface ReceivedTurn {
  turn: Turn;
  /** The sequence number of its last event. */
  sequence: number;
}

/** Returns the turn after all events until the stream ended, for whatever reason. */
async function receiveEvents(
  options: FollowTurnOptions,
  from: ReceivedTurn,
): Promise<ReceivedTurn> {
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
    // Ended or broken: the service reports the state of the turn.
  } finally {
    streams -= 1;
    clearTimeout(timer);
  }
  return { turn, sequence };
}
