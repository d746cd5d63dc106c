import type { Log } from '../../platform/log.ts';
import type { WallClock } from '../../platform/wall-clock.ts';
import type { RunStore } from './runs/run-store.ts';

const dayMs = 24 * 60 * 60_000;
const sweepMs = 60 * 60_000;
/** Runs removed before others may use the database. */
const batchSize = 50;

interface RunRetentionOptions {
  store: Pick<RunStore, 'endedBefore' | 'remove'>;
  clock: WallClock;
  /** Returns the days for which ended runs are stored; 0: forever. */
  days: () => number;
  log: Log;
}

/** Removes runs that ended before the retention time, at the start and every hour. */
export class RunRetention {
  private readonly options: RunRetentionOptions;
  private cancel: () => void = () => undefined;
  private isClosed = false;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(options: RunRetentionOptions) {
    this.options = options;
    this.sweeping = this.sweepAndWait();
  }

  private async sweepAndWait(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.options.log.error('agent', 'Old runs could not be removed', error);
    }
    if (this.isClosed) return;
    this.cancel = this.options.clock.after(sweepMs, () => {
      this.sweeping = this.sweepAndWait();
      return this.sweeping;
    });
  }

  private async sweep(): Promise<void> {
    const { store, clock, days, log } = this.options;
    const retentionDays = days();
    if (retentionDays === 0) return;
    const before = new Date(clock.now() - retentionDays * dayMs);
    let count = 0;
    for (;;) {
      const ids = this.isClosed ? [] : await store.endedBefore(before, batchSize);
      for (const id of ids) await store.remove(id);
      count += ids.length;
      if (ids.length < batchSize) break;
    }
    if (count > 0) log.info('agent', `${count} old runs were removed`);
  }

  /** Resolves when no removal is in progress. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.cancel();
    await this.sweeping;
  }
}
