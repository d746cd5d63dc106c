import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import type { ToolInfo, Tool, ToolSource } from './tool.ts';

/** Records an unexpected error. */
export type ErrorReporter = (what: string, error: unknown) => void;

/** Time in ms that a list waits for a source, unless the source sets its own. */
const defaultWaitMs = 100;
/** Time after which a source that never answered is asked again. */
const askAgainMs = 30_000;

interface Asked {
  source: ToolSource;
  last: readonly Tool[];
  /** The pending request and its start. */
  open: { answer: Promise<void>; sinceMs: number } | null;
  /** The last reported error, to avoid repeating it. */
  lastError: string | null;
}

/** The lists of all sources. Each is waited for once, and never for long. */
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

  /** Returns the tools in the order in which their sources were added. */
  async all(): Promise<Tool[]> {
    const waited: Promise<unknown>[] = [];
    for (const asked of this.sources) {
      if (asked.open === null || ageOf(asked.open) > askAgainMs) this.ask(asked);
      if (asked.open === null) continue;
      // An overdue source is not waited for again.
      const restMs = (asked.source.waitMs ?? defaultWaitMs) - ageOf(asked.open);
      if (restMs > 0) waited.push(withTimeoutOrNull(restMs, asked.open.answer));
    }
    await Promise.all(waited);
    return [...this.sources].flatMap(({ last }) => last);
  }

  /** Returns the properties of a tool, even if its source does not list it now. */
  toolInfo(name: string): ToolInfo | undefined {
    for (const { source } of this.sources) {
      const found = source.possibleTools?.find((tool) => tool.name === name);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns true if the name belongs to a source, even if the source does not list it now. */
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
