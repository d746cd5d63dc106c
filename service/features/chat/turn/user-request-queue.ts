import { Mutex } from 'async-mutex';

const waitsMs = 10 * 60_000;

export interface AskOptions<A> {
  signal: AbortSignal;
  /** What is taken when nobody answers in time. */
  late: A;
  /** It is the turn of this one now. */
  onAsked: () => void;
}

/** What waits for a person in one turn: one thing at a time, each for ten minutes. */
export class UserRequestQueue<R, A> {
  private readonly lock = new Mutex();
  private readonly limitMs: number;
  private current: { request: R; answer: (answer: A) => void } | null = null;

  constructor(limitMs = waitsMs) {
    this.limitMs = limitMs;
  }

  get pending(): R | undefined {
    return this.current?.request;
  }

  /** Rejects with the reason of the signal. */
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

  /** What answers the request that waits; null where none, or another one, waits. */
  take(fits: (request: R) => boolean): ((answer: A) => void) | null {
    return this.current !== null && fits(this.current.request) ? this.current.answer : null;
  }
}
