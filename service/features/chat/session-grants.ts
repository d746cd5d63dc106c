import type { Shared } from '../plugins/index.ts';

/** File grants by session: a conversation, or a turn without one. */
export class SessionGrants {
  private readonly sessions = new Map<string, Shared[]>();

  add(session: string, shared: Shared): void {
    if (shared.refs.length === 0) return;
    this.sessions.set(session, [...(this.sessions.get(session) ?? []), shared]);
  }

  async end(session: string): Promise<void> {
    const granted = this.sessions.get(session) ?? [];
    this.sessions.delete(session);
    for (const shared of granted) await shared.revoke();
  }
}
