import type { ResourceLimits } from 'node:worker_threads';
import { Mutex } from 'async-mutex';
import type { Tinypool } from 'tinypool';
import { orAborted } from '../core/or-aborted.ts';

const startLimitMs = 30_000;
/** The longest timeout of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** The module and the limits of a `JobThread`. */
export interface JobThreadOptions {
  /** Name of the module whose exports are the jobs, without extension, next to `parentUrl`. */
  name: string;
  parentUrl: string;
  resourceLimits: ResourceLimits;
  /** Time after which an idle thread is ended, in ms; default: never. */
  idleMs?: number;
}

/** Limits of one job. */
export interface JobLimits {
  /** Starts when the job starts, in ms. */
  limitMs: number;
  signal?: AbortSignal;
}

type AnyJobs = Record<string, (input: never) => unknown> & {
  /** Does nothing; its result shows that the thread is ready. */
  ready(input: null): void;
};

/** The job failed, or the thread was ended because of its time or memory limit. */
export class JobFailure extends Error {}

/**
 * Runs one job at a time in a separate thread, so that no job can crash or block the host. The
 * thread starts with the first job, and again after one that exceeded a limit.
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
    // An aborted caller does not wait for earlier jobs.
    return signal === undefined ? done : orAborted(done, signal);
  }

  /** Ends the thread; the running job and all later ones fail. */
  end(): void {
    this.closing.abort();
    this.dropPool();
  }

  private dropPool(): void {
    this.pool?.destroy().catch(() => undefined);
    this.pool = undefined;
  }

  /** Imported with the first job, so that a start without one is faster. */
  private async makePool(): Promise<Tinypool> {
    const { Tinypool } = await import('tinypool');
    const { name, parentUrl, resourceLimits, idleMs = maxTimerMs } = this.options;
    const extension = parentUrl.endsWith('.ts') ? 'ts' : 'mjs';
    const pool = new Tinypool({
      filename: new URL(`${name}.${extension}`, parentUrl),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      resourceLimits,
      execArgv: [],
      env: {},
    });
    // A thread that ends while idle is replaced with the next job.
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
    // Only after the messages that have already arrived: this thread itself may have been blocked.
    const timer = setTimeout(() => setImmediate(() => over.abort()), limitMs);
    // Errors of a thread that failed before it accepted a job.
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
