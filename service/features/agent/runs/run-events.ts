import { setImmediate as immediate } from 'node:timers/promises';
import type { RunEvent, RunWords } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { type HostText, type Message, msg, wireWarnings } from '../../../messages/index.ts';
import { Topic } from '../../../core/topic.ts';
import type { EventSink, EventSource, StreamEvent } from '../../../http/reply.ts';

const heartbeatMs = 25_000;
/** Characters of unstored model text kept for readers that join later. */
const maxDraftLength = 200_000;
const maxProgressLength = 4_000;
const maxWarnings = 20;
/** Maximum number of events that may arrive while stored ones are read. */
const maxPendingEvents = 10_000;

/** Publishes the events of a live run to any number of readers. */
export class RunEvents {
  readonly stored = new Topic<RunEvent>();
  readonly transient = new Topic<StreamEvent>();
  readonly over = new Topic<undefined>();
  private draft = '';
  private answer = '';
  private readonly progress = new Map<string, RunWords['progress'][number]>();
  private warnings: HostText[] = [];

  /** Must be called after the event is stored. */
  onStored(event: RunEvent): void {
    const { type, data } = event;
    if (type === 'plan_ready') this.draft = '';
    if (type === 'step_complete' || type === 'step_retry') this.progress.delete(positionKey(data));
    this.stored.publish(event);
  }

  /** Accepts every event; publishes only those that are not stored. */
  publishTransient(event: StreamEvent): void {
    const keep = retainers[event.event];
    if (keep === undefined) return;
    keep.call(this, event.data as never);
    this.transient.publish(event);
  }

  get snapshot(): RunWords {
    return {
      draft: this.draft,
      ...(this.answer === '' ? {} : { answer: this.answer }),
      progress: [...this.progress.values()],
      ...wireWarnings(this.warnings),
    };
  }

  keepDraft(text: string): void {
    this.draft = (this.draft + text).slice(-maxDraftLength);
  }

  keepAnswer(text: string): void {
    this.answer = (this.answer + text).slice(-maxDraftLength);
  }

  keepProgress({ text, ...position }: RunWords['progress'][number]): void {
    const key = positionKey(position);
    const progressText = (this.progress.get(key)?.text ?? '') + text;
    this.progress.set(key, { ...position, text: progressText.slice(-maxProgressLength) });
  }

  keepWarning(warning: HostText): void {
    this.warnings = [...this.warnings, warning].slice(-maxWarnings);
  }
}

type TransientData = RunWords['progress'][number];

const positionKey = ({ index, element }: { index?: unknown; element?: unknown }): string =>
  `${Number(index)}:${typeof element === 'number' ? element : ''}`;

interface Warning {
  message: string;
  text?: Message;
}

const retainers: Readonly<
  Record<string, (this: RunEvents, eventData: TransientData & Warning) => void>
> = {
  plan_token({ text }) {
    this.keepDraft(text);
  },
  answer_token({ text }) {
    this.keepAnswer(text);
  },
  step_progress(progress) {
    this.keepProgress(progress);
  },
  warning({ message, text }: Warning) {
    this.keepWarning(text ?? message);
  },
};

/** The starting point of a reader of run events, and the source of older ones. */
export interface FollowOptions {
  /** Null if the run has ended. */
  feed: RunEvents | null;
  /** Number of the last event that the reader has; -1 for none. */
  after: number;
  /** Reads the stored events after that number, in order. */
  read: (after: number) => Promise<RunEvent[]>;
  /** Called with true when the reader starts and with false when it leaves. */
  onReader: (present: boolean) => void;
}

/**
 * Streams the stored events after a number, then live ones, until the run ends. One source per
 * reader.
 */
export function runEventSource(following: FollowOptions): EventSource {
  return {
    greeting: 'connected',
    heartbeatMs,
    open(sink) {
      const reader = new Reader(following, sink);
      following.onReader(true);
      void reader.start();
      return () => {
        reader.leave();
        following.onReader(false);
      };
    },
  };
}

class Reader {
  private readonly following: FollowOptions;
  private readonly sink: EventSink;
  private last: number;
  /** Events that are stored while older ones are read; null after those were sent. */
  private pending: RunEvent[] | null = [];
  private isOver = false;
  private readonly unsubscribe: (() => void)[];

  constructor(following: FollowOptions, sink: EventSink) {
    this.following = following;
    this.sink = sink;
    this.last = following.after;
    const { feed } = following;
    this.unsubscribe = [
      feed?.stored.subscribe((event) => this.onStored(event)),
      feed?.transient.subscribe((event) => this.onTransient(event)),
      feed?.over.subscribe(() => this.end()),
    ].filter((one) => one !== undefined);
  }

  async start(): Promise<void> {
    const { feed, read } = this.following;
    try {
      for (const event of await read(this.last)) {
        // An event ahead of its predecessors is sent after they are stored.
        if (event.sequence !== this.last + 1) break;
        this.send(event);
        // Large events yield, so that a client that reads can keep up.
        if ('result' in event.data) await immediate();
      }
    } catch (error) {
      this.leave();
      return this.sink.end(error);
    }
    const { pending } = this;
    if (pending === null) return;
    this.pending = null;
    for (const event of pending) this.send(event);
    if (feed !== null && !this.isOver) this.sink.send({ event: 'words', data: feed.snapshot });
    if (feed === null || this.isOver) this.sink.end();
  }

  leave(): void {
    this.pending = null;
    for (const one of this.unsubscribe) one();
  }

  private onStored(event: RunEvent): void {
    if (this.pending === null) return this.send(event);
    this.pending.push(event);
    if (this.pending.length <= maxPendingEvents) return;
    this.leave();
    this.sink.end(new HostError('unavailable', 'too_much_at_once', msg('run.tooManyEvents')));
  }

  /** Texts before the first `words` event are part of that event. */
  private onTransient(event: StreamEvent): void {
    if (this.pending === null) this.sink.send(event);
  }

  private send(event: RunEvent): void {
    if (event.sequence <= this.last) return;
    this.last = event.sequence;
    this.sink.send({ event: 'event', data: event });
  }

  private end(): void {
    this.isOver = true;
    if (this.pending === null) this.sink.end();
  }
}
