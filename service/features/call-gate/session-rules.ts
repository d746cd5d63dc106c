import { Topic } from '../../core/topic.ts';

const maxSessions = 1_000;
const maxRules = 500;

/** What was allowed until the end of a conversation, or of a turn without one. In memory only. */
export class SessionRules {
  private readonly sessions = new Map<string, Set<string>>();
  /** Told of each word that grants more than one call: the session it holds for, null where for good. */
  readonly granted = new Topic<string | null>();
  /** Told of each session that is over. */
  readonly dropped = new Topic<string>();
  /** Told of each turn or run that is over: its id, or its conversation, which may go on. */
  readonly paused = new Topic<string>();
  /** How many of them there were. */
  grants = 0;

  of(session: string): string[] {
    return [...(this.sessions.get(session) ?? [])];
  }

  add(session: string, rules: readonly string[]): void {
    const existing = this.sessions.get(session) ?? new Set();
    for (const rule of rules) if (existing.size < maxRules) existing.add(rule);
    this.sessions.delete(session);
    this.sessions.set(session, existing);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > maxSessions && oldest !== undefined) this.sessions.delete(oldest);
  }

  notifyGranted(session: string | null): void {
    this.grants += 1;
    this.granted.publish(session);
  }

  pause(session: string): void {
    this.paused.publish(session);
  }

  drop(session: string): void {
    this.sessions.delete(session);
    this.dropped.publish(session);
  }
}
