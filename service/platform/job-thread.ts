import type { ResourceLimits } from 'node:worker_threads';
import { Mutex } from 'async-mutex';
import type { Tinypool } from 'tinypool';
import { orAborted } from '../core/or-aborted.ts';

const startLimitMs = 30_000;
/** The longest that a timer takes. */
const forEver = 2 ** 31 - 1;

/** The module and the limits of a `JobThread`. */
export interface JobThreadOptions {
  /** The module whose exports are the jobs, without its ending, beside the one at `besideUrl`. */
  name: string;
  besideUrl: string;
  resourceLimits: ResourceLimits;
  /** A thread that has nothing to do for so long goes; by itself none does. */
  idleMs?: number;
}

/** Limits of one job. */
export interface JobLimits {
  /** From when the job's turn has come and the thread is there. */
  limitMs: number;
  signal?: AbortSignal;
}

type AnyJobs = Record<string, (input: never) => unknown> & {
  /** Does nothing: it tells that the thread is there. */
  ready(input: null): void;
};

/** The job failed, or the thread was ended because it took too long or too much memory. */
export class JobFailure extends Error {}

/**
 * Does one job at a time in a thread of its own: whatever a job does, the host goes on. The thread
 * starts with the first job, and anew after one that overran.
 */
export class JobThread<Jobs extends AnyJobs> {
  private readonly options: JobThreadOptions;
  private readonly lock = new Mutex();
  private readonly closing = new AbortController();
  private pool: Tinypool | undefined;

  constructor(options: JobThreadOptions) {
    this.options = options;
  }

  /** @throws JobFailure; the reason of `signal` */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    { limitMs, signal }: JobLimits,
  ): Promise<ReturnType<Jobs[Name]>> {
    const done = this.lock.runExclusive(async () => {
      signal?.throwIfAborted();
      if (this.closing.signal.aborted) throw new JobFailure('The thread was ended.');
      const pool = (this.pool ??= await this.makePool());
      if (pool.threads.length === 0) await this.start(pool, signal);
      return (await this.within(pool, [name, input], limitMs, signal)) as ReturnType<Jobs[Name]>;
    });
    // Whoever gives up does not wait for the jobs before.
    return signal === undefined ? done : orAborted(done, signal);
  }

  /** Ends the thread; the job that it does fails, and so does each that comes. */
  end(): void {
    this.closing.abort();
    this.dropPool();
  }

  private dropPool(): void {
    this.pool?.destroy().catch(() => undefined);
    this.pool = undefined;
  }

  /** Loaded with the first job: a start without one does not pay for it. */
  private async makePool(): Promise<Tinypool> {
    const { Tinypool } = await import('tinypool');
    const { name, besideUrl, resourceLimits, idleMs = forEver } = this.options;
    const extension = besideUrl.endsWith('.ts') ? 'ts' : 'mjs';
    const pool = new Tinypool({
      filename: new URL(`${name}.${extension}`, besideUrl),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      resourceLimits,
      execArgv: [],
      env: {},
    });
    // A thread that ends while it does nothing is replaced by the next job.
    pool.on('error', () => undefined);
    return pool;
  }

  private async start(pool: Tinypool, signal?: AbortSignal): Promise<void> {
    try {
      await this.within(pool, ['ready', null], startLimitMs, signal);
    } catch (cause) {
      this.dropPool();
      signal?.throwIfAborted();
      throw new Error(`The thread ${this.options.name} did not start.`, { cause });
    }
  }

  private async within(
    pool: Tinypool,
    [name, input]: [name: string, given: unknown],
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const over = new AbortController();
    // Only after what has already arrived is read: this thread itself may have stood still.
    const timer = setTimeout(() => setImmediate(() => over.abort()), limitMs);
    // Errors of a thread that failed before it took a job.
    const broken = (error: unknown): void => over.abort(error);
    pool.on('error', broken);
    const signals = [over.signal, this.closing.signal, ...(signal ? [signal] : [])];
    try {
      return await pool.run(input, { name, signal: AbortSignal.any(signals) });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new JobFailure('The job took too long or too much memory.', { cause });
    } finally {
      clearTimeout(timer);
      pool.off('error', broken);
    }
  }
}
