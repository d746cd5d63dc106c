import { Topic } from '../../core/topic.ts';

const maxSessions = 1_000;
const maxRules = 500;

/**
 * Rules allowed until a conversation, turn or run ends. Kept in memory only: at most 1000 sessions
 * with 500 rules each.
 */
export class SessionRules {
  private readonly sessions = new Map<string, Set<string>>();
  /** Emits the session of each new rule; null for a permanent one. */
  readonly granted = new Topic<string | null>();
  /** Emits the id of each session that has ended. */
  readonly dropped = new Topic<string>();
  /**
   * Emits the id of each turn or run that has ended, or of its conversation, which may continue.
   */
  readonly paused = new Topic<string>();
  /** Number of grants so far. */
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
