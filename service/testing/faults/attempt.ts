import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../client/index.ts';

/** Problem codes that the current fault may cause. */
export type Allowed = ReadonlySet<string>;

export type Outcome<T> = { value: T } | 'lost';

const reconnectLimitMs = 60_000;
const pollMs = 2;

/** Counts calls and measures the slowest one. */
export class Attempts {
  /** Problem codes that are currently expected; `unreachable` is a killed host. */
  allowed: Allowed = new Set();
  stopped = false;
  acknowledged = 0;
  lost = 0;
  slowestMs = 0;

  /** Resolves after this number of successful calls, or when the work has stopped. */
  async reached(acknowledged: number): Promise<void> {
    const untilMs = performance.now() + reconnectLimitMs;
    while (this.acknowledged < acknowledged && !this.stopped) {
      if (performance.now() > untilMs)
        throw new Error(`Within a minute only ${this.acknowledged} calls were answered.`);
      await delay(pollMs);
    }
  }

  /** Makes a call. `lost` means that its effect is unknown. Rejects for an unexpected problem. */
  async make<T>(call: () => Promise<T>): Promise<Outcome<T>> {
    const startedMs = performance.now();
    try {
      const value = await call();
      this.acknowledged += 1;
      return { value };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (!this.allowed.has(error.problem.code)) throw described(error);
      this.lost += 1;
      // Pauses between requests to a service that is down.
      await delay(5);
      return 'lost';
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedMs);
    }
  }
}

function described(error: ServiceError): Error {
  const { status, code, detail } = error.problem;
  return new Error(`An answer of ${status} ${code} (${detail}) was not to be.`, { cause: error });
}
