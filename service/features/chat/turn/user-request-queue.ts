import { Mutex } from 'async-mutex';

const defaultLimitMs = 10 * 60_000;

/** Options of one request. */
export interface AskOptions<A> {
  signal: AbortSignal;
  /** Answer that is used if the user does not answer in time. */
  late: A;
  /** Called when the request becomes the pending one. */
  onAsked: () => void;
}

/** Requests of one turn to the user: one at a time, for ten minutes each by default. */
export class UserRequestQueue<R, A> {
  private readonly lock = new Mutex();
  private readonly limitMs: number;
  private current: { request: R; answer: (answer: A) => void } | null = null;

  constructor(limitMs = defaultLimitMs) {
    this.limitMs = limitMs;
  }

  get pending(): R | undefined {
    return this.current?.request;
  }

  /** Resolves with the answer; rejects with the reason of the signal. */
  ask(request: R, options: AskOptions<A>): Promise<A> {
    return this.lock.runExclusive(() => this.wait(request, options));
  }

  private wait(request: R, { signal, late, onAsked }: AskOptions<A>): Promise<A> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        this.current = null;
        end();
      };
      const answer = (value: A): void => settle(() => resolve(value));
      const cancel = (): void => settle(() => reject(signal.reason as Error));
      const timer = setTimeout(() => answer(late), this.limitMs).unref();
      signal.addEventListener('abort', cancel, { once: true });
      this.current = { request, answer };
      if (signal.aborted) cancel();
      else onAsked();
    });
  }

  /** Returns the function that answers the pending request; null if none matches. */
  take(fits: (request: R) => boolean): ((answer: A) => void) | null {
    return this.current !== null && fits(this.current.request) ? this.current.answer : null;
  }
}
