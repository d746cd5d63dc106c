import type { ServerContext } from '@modelcontextprotocol/server';

/** The protocol requires increasing numbers, also for a report without one. */
const smallestStep = 0.001;

interface Report {
  text: string;
  percent: number | undefined;
}

/**
 * Forwards the progress of a call to a client that requested it. While a report is being written,
 * only the latest further one is kept, so a slow client delays nothing.
 */
export class CallProgress {
  private readonly context: ServerContext;
  private last: number | null = null;
  private hasTotal = false;
  private latest: Report | null = null;
  private writing: Promise<void> | null = null;

  constructor(context: ServerContext) {
    this.context = context;
  }

  get isRequested(): boolean {
    return this.context.mcpReq._meta?.progressToken !== undefined;
  }

  report(text: string, percent?: number): void {
    this.latest = { text, percent };
    this.writing ??= this.write();
  }

  /** Resolves when everything is written, since progress after the result would be ignored. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    const { mcpReq } = this.context;
    const progressToken = mcpReq._meta?.progressToken;
    while (this.latest !== null && progressToken !== undefined && !mcpReq.signal.aborted) {
      const { text, percent } = this.latest;
      this.latest = null;
      this.hasTotal ||= percent !== undefined;
      this.last = next(this.last, percent);
      const message = text.trim();
      const params = {
        progressToken,
        progress: this.last,
        ...(this.hasTotal ? { total: 100 } : {}),
        ...(message === '' ? {} : { message }),
      };
      // If the client has disconnected, the call ends by its signal.
      await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    }
    this.writing = null;
  }
}

function next(last: number | null, percent: number | undefined): number {
  if (last === null) return percent ?? 0;
  return percent !== undefined && percent > last ? percent : last + smallestStep;
}
