import type { RunEvent } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { RunStore } from './run-store.ts';

/** Each beyond this stands between a person and the rest of the run. */
const maxEventBytes = 16 * 1024 * 1024;

/**
 * What happens in one run, in order and without gaps: stored first, told afterwards. When something
 * cannot be stored the log has ended, so that nothing later is told either.
 */
export class RunLog {
  private readonly store: RunStore;
  private readonly runId: string;
  private readonly notify: (event: RunEvent) => void;
  private next = 0;
  /** Settles when the last event and all before it are stored and published. */
  private last: Promise<void> = Promise.resolve();
  private broken: { error: unknown } | null = null;

  constructor(store: RunStore, runId: string, notify: (event: RunEvent) => void) {
    this.store = store;
    this.runId = runId;
    this.notify = notify;
  }

  /** Resolves when it is stored and told. */
  async add(type: string, data: Record<string, unknown>): Promise<void> {
    if (this.broken) throw this.broken.error;
    const event = { sequence: this.next, at: new Date().toISOString(), type, data };
    this.next += 1;
    const added = this.write(event, this.last);
    added.catch(() => undefined);
    this.last = added;
    return added;
  }

  /** Resolves when nothing waits to be stored. */
  async settled(): Promise<void> {
    let last: Promise<void> | undefined;
    while (last !== this.last) {
      last = this.last;
      await last.catch(() => undefined);
    }
  }

  /** Events added meanwhile share a commit; nothing is stored after a failed event. */
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
