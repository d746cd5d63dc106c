import { setImmediate as immediate } from 'node:timers/promises';
import type { RunEvent, RunWords } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { Topic } from '../../../core/topic.ts';
import type { EventSink, EventSource, StreamEvent } from '../../../http/reply.ts';

const heartbeatMs = 25_000;
/** What a run says without storing it: so much is kept for whoever comes later. */
const keptDraft = 200_000;
const keptProgress = 4_000;
const keptWarnings = 20;
/** Events that may come while the stored ones are read. */
const mostWaiting = 10_000;

/** What a live run tells to however many follow it. */
export class RunFeed {
  readonly stored = new Topic<RunEvent>();
  readonly said = new Topic<StreamEvent>();
  readonly over = new Topic<undefined>();
  private draft = '';
  private readonly progress = new Map<number, string>();
  private warnings: string[] = [];

  /** Of what is stored, once it is. */
  hear(event: RunEvent): void {
    const { type, data } = event;
    if (type === 'plan_ready') this.draft = '';
    if (type === 'step_complete' || type === 'step_retry')
      this.progress.delete(Number(data['index']));
    this.stored.publish(event);
  }

  /** Of everything; what is stored comes by `hear`. */
  say(event: StreamEvent): void {
    const keep = kept[event.event];
    if (keep === undefined) return;
    keep.call(this, event.data as Said);
    this.said.publish(event);
  }

  get words(): RunWords {
    const progress = [...this.progress].map(([index, text]) => ({ index, text }));
    return { draft: this.draft, progress, warnings: [...this.warnings] };
  }

  keepDraft(text: string): void {
    this.draft = (this.draft + text).slice(-keptDraft);
  }

  keepProgress(index: number, text: string): void {
    const told = (this.progress.get(index) ?? '') + text;
    this.progress.set(index, told.slice(-keptProgress));
  }

  keepWarning(message: string): void {
    this.warnings = [...this.warnings, message].slice(-keptWarnings);
  }
}

interface Said {
  index: number;
  text: string;
  message: string;
}

const kept: Readonly<Record<string, (this: RunFeed, said: Said) => void>> = {
  plan_token({ text }) {
    this.keepDraft(text);
  },
  step_progress({ index, text }) {
    this.keepProgress(index, text);
  },
  warning({ message }) {
    this.keepWarning(message);
  },
};

export interface Following {
  /** Null: the run is over. */
  feed: RunFeed | null;
  /** The last event that is known. */
  after: number;
  /** Reads what was stored after that one, in order. */
  read: (after: number) => Promise<RunEvent[]>;
  /** Told when the reader comes and when it leaves. */
  onReader: (present: boolean) => void;
}

/** The events of a run after a given one, then what happens, to its end. Each reader has its own. */
export function followed(following: Following): EventSource {
  return {
    greeting: 'connected',
    heartbeatMs,
    open(sink) {
      const reader = new Reader(following, sink);
      following.onReader(true);
      void reader.begin();
      return () => {
        reader.leave();
        following.onReader(false);
      };
    },
  };
}

class Reader {
  private readonly following: Following;
  private readonly sink: EventSink;
  private last: number;
  /** What is stored while older events are read; null when those were sent. */
  private waiting: RunEvent[] | null = [];
  private isOver = false;
  private readonly unsubscribe: (() => void)[];

  constructor(following: Following, sink: EventSink) {
    this.following = following;
    this.sink = sink;
    this.last = following.after;
    const { feed } = following;
    this.unsubscribe = [
      feed?.stored.subscribe((event) => this.hear(event)),
      feed?.said.subscribe((event) => this.hearSaid(event)),
      feed?.over.subscribe(() => this.end()),
    ].filter((one) => one !== undefined);
  }

  async begin(): Promise<void> {
    const { feed, read } = this.following;
    try {
      for (const event of await read(this.last)) {
        // One that comes too soon is told when those before it are there.
        if (event.sequence !== this.last + 1) break;
        this.send(event);
        // A client that reads can keep up.
        if ('result' in event.data) await immediate();
      }
    } catch (error) {
      this.leave();
      return this.sink.end(error);
    }
    const { waiting } = this;
    if (waiting === null) return;
    this.waiting = null;
    for (const event of waiting) this.send(event);
    if (feed !== null && !this.isOver) this.sink.send({ event: 'words', data: feed.words });
    if (feed === null || this.isOver) this.sink.end();
  }

  leave(): void {
    this.waiting = null;
    for (const one of this.unsubscribe) one();
  }

  private hear(event: RunEvent): void {
    if (this.waiting === null) return this.send(event);
    this.waiting.push(event);
    if (this.waiting.length <= mostWaiting) return;
    this.leave();
    const message = 'More happened than can be told at once. Follow the run again.';
    this.sink.end(new HostError('unavailable', 'too_much_at_once', message));
  }

  /** What was said before the first `words` is in them. */
  private hearSaid(event: StreamEvent): void {
    if (this.waiting === null) this.sink.send(event);
  }

  private send(event: RunEvent): void {
    if (event.sequence <= this.last) return;
    this.last = event.sequence;
    this.sink.send({ event: 'event', data: event });
  }

  private end(): void {
    this.isOver = true;
    if (this.waiting === null) this.sink.end();
  }
}
