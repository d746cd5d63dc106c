import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import type { ToolInfo, Tool, ToolSource } from './tool.ts';

/** Whoever writes down what went wrong. */
export type ErrorReporter = (what: string, error: unknown) => void;

/** How long a list waits for a source that has not answered, unless the source says otherwise. */
const defaultWaitMs = 100;
/** A source that never answered is asked again after so long. */
const askAgainMs = 30_000;

interface Asked {
  source: ToolSource;
  last: readonly Tool[];
  /** The question that is open, and since when. */
  open: { answer: Promise<void>; sinceMs: number } | null;
  /** The trouble that was told last; the same again is not told. */
  lastError: string | null;
}

/** The lists of all sources: each is waited for once, never twice, and never for long. */
export class SourceLists {
  private readonly sources = new Set<Asked>();
  private readonly reportError: ErrorReporter;

  constructor(reportError: ErrorReporter) {
    this.reportError = reportError;
  }

  add(source: ToolSource): () => void {
    const asked: Asked = { source, last: [], open: null, lastError: null };
    this.sources.add(asked);
    return () => void this.sources.delete(asked);
  }

  /** In the order in which the sources were added. */
  async all(): Promise<Tool[]> {
    const waited: Promise<unknown>[] = [];
    for (const asked of this.sources) {
      if (asked.open === null || ageOf(asked.open) > askAgainMs) this.ask(asked);
      if (asked.open === null) continue;
      // One that is overdue has had its wait.
      const restMs = (asked.source.waitMs ?? defaultWaitMs) - ageOf(asked.open);
      if (restMs > 0) waited.push(withTimeoutOrNull(restMs, asked.open.answer));
    }
    await Promise.all(waited);
    return [...this.sources].flatMap(({ last }) => last);
  }

  /** What sources know of a tool that they do not list now. */
  toolInfo(name: string): ToolInfo | undefined {
    for (const { source } of this.sources) {
      const found = source.possibleTools?.find((tool) => tool.name === name);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether the name is a source's, also while it does not list it. */
  isReserved(name: string): boolean {
    if (this.toolInfo(name)) return true;
    return [...this.sources].some(({ source: { prefix } }) => prefix && name.startsWith(prefix));
  }

  private ask(asked: Asked): void {
    asked.open = null;
    try {
      const answer = asked.source.list();
      if (!(answer instanceof Promise)) this.keep(asked, answer);
      else this.wait(asked, answer);
    } catch (error) {
      this.failed(asked, error);
    }
  }

  private wait(asked: Asked, answer: Promise<readonly Tool[]>): void {
    const open = { sinceMs: performance.now(), answer: Promise.resolve() };
    const isOpen = (): boolean => asked.open === open;
    open.answer = answer
      .then(
        (list) => isOpen() && this.keep(asked, list),
        (error: unknown) => isOpen() && this.failed(asked, error),
      )
      .then(() => {
        if (isOpen()) asked.open = null;
      });
    asked.open = open;
  }

  private keep(asked: Asked, list: readonly Tool[]): void {
    asked.last = list;
    asked.lastError = null;
  }

  private failed(asked: Asked, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== asked.lastError)
      this.reportError('A source of tools could not be listed', error);
    asked.lastError = message;
  }
}

const ageOf = ({ sinceMs }: { sinceMs: number }): number => performance.now() - sinceMs;
