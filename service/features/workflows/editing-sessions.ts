/** Changes of one person's editing further apart than this from its first one begin anew. */
const togetherMs = 10 * 60_000;

interface Session {
  editing: string;
  /** The one that was stored last, as long as nothing else came between. */
  revision: number;
  sinceMs: number;
}

/**
 * Which changes of a workflow are one to a person: those of one editor that follow each other soon. They
 * are forgotten with the host, so that a revision more is kept then.
 */
export class EditingSessions {
  private readonly open = new Map<string, Session>();

  /** Whether the next change under this name takes the place of that revision. */
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

  /** The same definition has the next number. */
  moved(id: string, from: number): void {
    const session = this.open.get(id);
    if (session?.revision === from) session.revision = from + 1;
  }

  /** What stands there now was used as it is, so it stays. */
  end(id: string): void {
    this.open.delete(id);
  }
}
