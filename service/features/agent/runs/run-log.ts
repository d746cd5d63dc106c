import type { RunEvent } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { RunStore } from './run-store.ts';

/** Larger events would delay the rest of the run for every reader. */
const maxEventBytes = 16 * 1024 * 1024;

/**
 * The events of one run, in order and without gaps: stored first, then published. The log ends at
 * the first event that cannot be stored, so nothing later is published.
 */
export class RunLog {
  private readonly store: RunStore;
  private readonly runId: string;
  private readonly notify: (event: RunEvent) => void;
  private next: number;
  /** Settles when the last event and all earlier ones are stored and published. */
  private last: Promise<void> = Promise.resolve();
  private broken: { error: unknown } | null = null;

  /** `first`: the number of the first event that is added here. */
  constructor(store: RunStore, runId: string, notify: (event: RunEvent) => void, first = 0) {
    this.next = first;
    this.store = store;
    this.runId = runId;
    this.notify = notify;
  }

  /** Resolves when the event is stored and published. */
  async add(type: string, data: Record<string, unknown>): Promise<void> {
    if (this.broken) throw this.broken.error;
    const event = { sequence: this.next, at: new Date().toISOString(), type, data };
    this.next += 1;
    const added = this.write(event, this.last);
    added.catch(() => undefined);
    this.last = added;
    return added;
  }

  /** Resolves when no event waits to be stored. */
  async settled(): Promise<void> {
    let last: Promise<void> | undefined;
    while (last !== this.last) {
      last = this.last;
      await last.catch(() => undefined);
    }
  }

  /** Concurrent events share a commit; nothing is stored after a failed event. */
  private async write(event: RunEvent, before: Promise<void>): Promise<void> {
    try {
      const stored = this.store.addEvent(this.runId, event, jsonOf(event), this);
      await Promise.allSettled([before, stored]);
      await before;
      await stored;
    } catch (error) {
      this.broken ??= { error };
      throw error;
    }
    this.notify(event);
  }
}

function jsonOf({ data }: RunEvent): string {
  const text = JSON.stringify(data);
  if (text.length <= maxEventBytes) return text;
  throw new HostError('too-large', 'event_too_large', msg('run.eventTooLarge'));
}
