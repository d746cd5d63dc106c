import type { RunEvent } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { RunStore } from './run-store.ts';

interface Waiting {
  event: RunEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Each beyond this stands between a person and the rest of the run. */
const maxEventBytes = 16 * 1024 * 1024;

/**
 * What happens in one run, in order and without gaps: stored first, told afterwards. When something
 * cannot be stored the log has ended, so that nothing later is told either.
 */
export class RunLog {
  private readonly store: RunStore;
  private readonly runId: string;
  private readonly tell: (event: RunEvent) => void;
  private next = 0;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private broken: { error: Error } | null = null;

  constructor(store: RunStore, runId: string, tell: (event: RunEvent) => void) {
    this.store = store;
    this.runId = runId;
    this.tell = tell;
  }

  /** Resolves when it is stored and told. */
  add(type: string, data: Record<string, unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.broken) return reject(this.broken.error);
      const event = { sequence: this.next, at: new Date().toISOString(), type, data };
      this.next += 1;
      this.waiting.push({ event, resolve, reject });
      this.writing ??= this.write();
    });
  }

  /** Resolves when nothing waits to be stored. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  /** Whatever happened since the last write is written together. */
  private async write(): Promise<void> {
    // What follows from it without waiting for anything belongs together.
    await new Promise(setImmediate);
    while (this.waiting.length > 0 && !this.broken) {
      const batch = this.waiting;
      this.waiting = [];
      const ends = await Promise.allSettled(
        batch.map(async ({ event }) => this.store.addEvent(this.runId, event, jsonOf(event))),
      );
      for (const [place, end] of ends.entries()) this.settle(batch[place] as Waiting, end);
    }
    this.writing = null;
  }

  private settle({ event, resolve, reject }: Waiting, end: PromiseSettledResult<void>): void {
    if (end.status === 'rejected') this.broken ??= { error: end.reason as Error };
    if (this.broken) {
      reject(this.broken.error);
      for (const left of this.waiting.splice(0)) left.reject(this.broken.error);
      return;
    }
    this.tell(event);
    resolve();
  }
}

function jsonOf({ data }: RunEvent): string {
  const text = JSON.stringify(data);
  if (text.length <= maxEventBytes) return text;
  throw new HostError('too-large', 'event_too_large', 'What happened is too large to be kept.');
}
