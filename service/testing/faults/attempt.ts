import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../client/index.ts';

/** What an answer may be for reasons of the fault that is being tried: codes of problems. */
export type Allowed = ReadonlySet<string>;

export type Outcome<T> = { value: T } | 'lost';

const reconnectLimitMs = 60_000;
const pollMs = 2;

/** Calls are counted, and how long the slowest of them took. */
export class Attempts {
  /** Codes of problems that are no mistake at the moment; `unreachable` is a host that was killed. */
  allowed: Allowed = new Set();
  stopped = false;
  acknowledged = 0;
  lost = 0;
  slowestMs = 0;

  /** Resolves when so many calls were answered with success, or the work has stopped. */
  async reached(acknowledged: number): Promise<void> {
    const untilMs = performance.now() + reconnectLimitMs;
    while (this.acknowledged < acknowledged && !this.stopped) {
      if (performance.now() > untilMs)
        throw new Error(`Within a minute only ${this.acknowledged} calls were answered.`);
      await delay(pollMs);
    }
  }

  /** `lost`: whether it was done cannot be known. Rejects for a problem that is not allowed. */
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
      // Not to keep asking a service that is down without a pause.
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
