/** Changes of one editor within this time after the first one form one revision. */
const togetherMs = 10 * 60_000;

interface Session {
  editing: string;
  /** The last stored revision, as long as no other change followed. */
  revision: number;
  sinceMs: number;
}

/**
 * Decides which changes of a workflow form one revision for a person: consecutive ones of the same
 * editor within a short time. In memory only, so a restart starts a new revision.
 */
export class EditingSessions {
  private readonly open = new Map<string, Session>();

  /** Returns true if the next change by this editor replaces the revision. */
  continues(id: string, editing: string | undefined, revision: number): boolean {
    const session = this.open.get(id);
    if (session?.editing !== editing || session?.revision !== revision) return false;
    const ageMs = Date.now() - session.sinceMs;
    return ageMs >= 0 && ageMs < togetherMs;
  }

  stored(id: string, editing: string | undefined, from: number): void {
    const revision = from + 1;
    if (this.continues(id, editing, from)) this.moved(id, from);
    else if (editing === undefined) this.end(id);
    else this.open.set(id, { editing, revision, sinceMs: Date.now() });
  }

  /** Follows a definition whose revision number changed without a change of content. */
  moved(id: string, from: number): void {
    const session = this.open.get(id);
    if (session?.revision === from) session.revision = from + 1;
  }

  /** Keeps the current revision, because it was used as it is. */
  end(id: string): void {
    this.open.delete(id);
  }
}
