import type { ChatTurn } from '../../../contract/index.ts';
import { Topic } from '../../../core/topic.ts';
import type { EventSink, EventSource, StreamEvent } from '../../../http/reply.ts';
import { mergeTexts } from './merge-texts.ts';

const heartbeatMs = 25_000;
/** Approximate size of the events of one turn; beyond it the oldest go. */
const maxStoredBytes = 2 * 1024 ** 2;
/** Size that remains when the oldest go: they go seldom, and many at a time. */
const retainedShare = 0.75;
/** Size of an event beside its data. */
const overheadBytes = 200;

interface NumberedEvent {
  event: StreamEvent & { id: number };
  bytes: number;
}

export interface TurnReader {
  /** The number of the last event that the reader has. */
  after: number;
  /** The whole turn, for a reader whose next event is no longer stored. */
  snapshot: () => ChatTurn;
  /** Called when the reader comes and when it leaves; not for a turn that has ended. */
  onReader: (present: boolean) => void;
}

/**
 * The events of a turn, numbered from 1, for any number of readers and for those that come back. Texts
 * of one tick are one event. About 2 MiB are stored.
 */
export class TurnEvents {
  private pending: StreamEvent[] = [];
  private isDue = false;
  private stored: NumberedEvent[] = [];
  private storedBytes = 0;
  private last = 0;
  private hasEnded = false;
  private readonly live = new Topic<StreamEvent | null>();

  /** About how much is stored. */
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

  /** After the last event, which tells how the turn ended. */
  end(): void {
    if (this.hasEnded) return;
    this.flush();
    this.hasEnded = true;
    this.live.publish(null);
  }

  /** Forgets all but the last event: readers who come then get the whole turn in one. */
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
      // The event that tells of the end comes after it, as it would have.
      const sequence = this.hasEnded ? this.last - 1 : this.last;
      sink.send({ event: 'snapshot', id: sequence, data: { ...snapshot(), sequence } });
      after = sequence;
    }
    for (const { event } of this.stored) if (event.id > after) sink.send(event);
  }
}
