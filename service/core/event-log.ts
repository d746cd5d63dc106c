import { Topic } from './topic.ts';

const maxEvents = 1_000;
const messageCharacters = 8 * 1024;
const nameCharacters = 200;

/** One log line of a program, before it is numbered. */
export interface EventLogEntry {
  level: string;
  /** Null for lines from stderr. */
  logger: string | null;
  /** Name of the thread; null when the program does not say. */
  thread: string | null;
  message: string;
}

/** A log line with its time and its position in the log. */
export interface LogEvent extends EventLogEntry {
  /** ISO 8601, UTC. */
  timestamp: string;
  /** Counts from 1. */
  sequence: number;
}

/** The last 1 000 log events of one program, with subscriptions to new ones. */
export class EventLog {
  private readonly events: LogEvent[] = [];
  private readonly topic = new Topic<LogEvent>();
  private sequence = 0;

  /** Adds the time and the sequence; a message over 8 192 characters is cut. */
  add(entry: EventLogEntry): void {
    const event: LogEvent = {
      timestamp: new Date().toISOString(),
      level: cut(entry.level, nameCharacters),
      logger: entry.logger === null ? null : cut(entry.logger, nameCharacters),
      thread: entry.thread === null ? null : cut(entry.thread, nameCharacters),
      message: cut(entry.message, messageCharacters),
      sequence: this.sequence + 1,
    };
    this.events[this.sequence % maxEvents] = event;
    this.sequence += 1;
    this.topic.publish(event);
  }

  /** Oldest first. */
  recent(): LogEvent[] {
    const oldest = this.sequence % maxEvents;
    if (this.sequence <= maxEvents) return [...this.events];
    return [...this.events.slice(oldest), ...this.events.slice(0, oldest)];
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.topic.subscribe(listener);
  }
}

/** Copies the text: a substring would keep the whole line in memory, which can be 32 MiB. */
function cut(text: string, maxCharacters: number): string {
  const truncated = text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
  return Buffer.from(truncated).toString();
}
