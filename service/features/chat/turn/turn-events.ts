import type { ChatTurn } from '../../../contract/index.ts';
import { Topic } from '../../../core/topic.ts';
import type { EventSink, EventSource, StreamEvent } from '../../../http/reply.ts';
import { mergeTexts } from './merge-texts.ts';

const heartbeatMs = 25_000;
/** Approximate limit for the events of one turn; beyond it the oldest are removed. */
const maxStoredBytes = 2 * 1024 ** 2;
/** Share that remains after a removal, so that removals are rare and remove many events. */
const retainedShare = 0.75;
/** Approximate size of an event without its data. */
const overheadBytes = 200;

interface NumberedEvent {
  event: StreamEvent & { id: number };
  bytes: number;
}

/** A reader of the events of a turn. */
export interface TurnReader {
  /** The number of the last event that the reader has. */
  after: number;
  /** The whole turn, for a reader whose next event is no longer stored. */
  snapshot: () => ChatTurn;
  /** Called with true when a reader joins and with false when it leaves; not for an ended turn. */
  onReader: (present: boolean) => void;
}

/**
 * The events of a turn, numbered from 1, for any number of readers, including those that reconnect.
 * Texts of one tick form one event. About 2 MiB are stored.
 */
export class TurnEvents {
  private pending: StreamEvent[] = [];
  private isDue = false;
  private stored: NumberedEvent[] = [];
  private storedBytes = 0;
  private last = 0;
  private hasEnded = false;
  private readonly live = new Topic<StreamEvent | null>();

  /** Approximate size of the stored events. */
  get bytes(): number {
    return this.storedBytes;
  }

  /** The number of the last event; 0 before the first one. */
  get sequence(): number {
    this.flush();
    return this.last;
  }

  send(event: StreamEvent): void {
    if (this.hasEnded) return;
    const previous = this.pending.at(-1);
    const merged = previous === undefined ? null : mergeTexts(previous, event);
    if (merged === null) this.pending.push(event);
    else this.pending[this.pending.length - 1] = merged;
    if (this.isDue) return;
    this.isDue = true;
    process.nextTick(() => this.flush());
  }

  /** Called after the last event, which contains the outcome of the turn. */
  end(): void {
    if (this.hasEnded) return;
    this.flush();
    this.hasEnded = true;
    this.live.publish(null);
  }

  /** Removes all but the last event: later readers receive the turn as one snapshot. */
  shrink(): void {
    this.dropDownTo(0);
  }

  private flush(): void {
    const { pending } = this;
    this.pending = [];
    this.isDue = false;
    for (const { event, data } of pending) {
      this.last += 1;
      const sequence = this.last;
      const numbered = { event, id: sequence, data: { ...(data as object), sequence } };
      const bytes = JSON.stringify(numbered.data).length + overheadBytes;
      this.stored.push({ event: numbered, bytes });
      this.storedBytes += bytes;
      this.live.publish(numbered);
    }
    if (this.storedBytes > maxStoredBytes) this.dropDownTo(maxStoredBytes * retainedShare);
  }

  private dropDownTo(maxBytes: number): void {
    let dropped = 0;
    while (this.storedBytes > maxBytes && dropped < this.stored.length - 1) {
      this.storedBytes -= this.stored[dropped]?.bytes ?? 0;
      dropped += 1;
    }
    if (dropped > 0) this.stored = this.stored.slice(dropped);
  }

  source(reader: TurnReader): EventSource {
    return { greeting: 'connected', heartbeatMs, open: (sink) => this.open(sink, reader) };
  }

  private open(sink: EventSink, { after, snapshot, onReader }: TurnReader): () => void {
    this.flush();
    this.replay(sink, after, snapshot);
    if (this.hasEnded) {
      sink.end();
      return () => undefined;
    }
    const leave = this.live.subscribe((event) => (event === null ? sink.end() : sink.send(event)));
    onReader(true);
    return () => {
      leave();
      onReader(false);
    };
  }

  private replay(sink: EventSink, after: number, snapshot: () => ChatTurn): void {
    const first = this.stored[0]?.event.id ?? 1;
    if (Math.max(0, after) + 1 < first) {
      // The final event follows the snapshot, as in a live stream.
      const sequence = this.hasEnded ? this.last - 1 : this.last;
      sink.send({ event: 'snapshot', id: sequence, data: { ...snapshot(), sequence } });
      after = sequence;
    }
    for (const { event } of this.stored) if (event.id > after) sink.send(event);
  }
}
