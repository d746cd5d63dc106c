import { Topic } from './topic.ts';

const maxEvents = 1_000;
const messageCharacters = 8 * 1024;
const nameCharacters = 200;

export interface EventLogEntry {
  level: string;
  /** Null for lines that came from stderr. */
  logger: string | null;
  thread: string | null;
  message: string;
}

export interface LogEvent extends EventLogEntry {
  /** ISO 8601, UTC. */
  timestamp: string;
  sequence: number;
}

/** The last 1 000 log events of one program, and whoever listens for new ones. */
export class EventLog {
  private readonly events: LogEvent[] = [];
  private readonly topic = new Topic<LogEvent>();
  private sequence = 0;

  /** Stamps time and sequence (from 1); a message over 8 Ki characters is cut. */
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

  /** Returns what ends the subscription. */
  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.topic.subscribe(listener);
  }
}

/** A copy of its own: a part of a string keeps all of it in memory, here up to a 32 MiB line. */
function cut(text: string, maxCharacters: number): string {
  const truncated = text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
  return Buffer.from(truncated).toString();
}
