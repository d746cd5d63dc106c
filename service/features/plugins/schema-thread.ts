import { Worker } from 'node:worker_threads';
import { type FieldError, HostError } from '../../core/host-error.ts';
import type { Schema } from './schema-compiler.ts';

const startLimitMs = 10_000;
const maxWaitingPerOwner = 100;
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/** `key` names the schema, so that the thread compiles it once. */
export type SchemaJob = { schemas: Schema[] } | { key: number; schema: Schema; value: unknown };

/** `unusable`: the schema itself cannot be compiled. */
export type SchemaAnswer =
  { ready: true } | { bad: boolean[] } | { errors: FieldError[] } | { unusable: true };

/** The thread was ended because a job took too long or too much memory. */
export class SchemaOverrun extends Error {}

interface Waiting {
  job: SchemaJob;
  limitMs: number;
  resolve(answer: SchemaAnswer): void;
  reject(error: Error): void;
}

/**
 * A thread for schemas that may be slow on purpose. It starts with the first job, does one at a
 * time, and is ended when a job overruns; the next job gets a fresh one. Owners take turns, so the
 * slow jobs of one do not starve the others.
 */
export class SchemaThread {
  private readonly queues = new Map<object, Waiting[]>();
  private worker: Worker | undefined;
  private ready = false;
  private current: Waiting | undefined;
  private timer: NodeJS.Timeout | undefined;

  /**
   * The limit counts from when the job's turn comes.
   * @throws SchemaOverrun; HostError 503 `checks_busy` when too many jobs of the owner wait
   */
  run(owner: object, job: SchemaJob, limitMs: number): Promise<SchemaAnswer> {
    const queue = this.queues.get(owner) ?? [];
    if (queue.length >= maxWaitingPerOwner) {
      const detail = 'Too many calls wait for their parameters to be checked. Try again later.';
      return Promise.reject(new HostError('unavailable', 'checks_busy', detail));
    }
    return new Promise((resolve, reject) => {
      queue.push({ job, limitMs, resolve, reject });
      this.queues.set(owner, queue);
      this.next();
    });
  }

  /** Ends the thread; a job that waits is done by the next one. */
  private end(): void {
    clearTimeout(this.timer);
    const { worker } = this;
    this.worker = undefined;
    this.ready = false;
    worker?.removeAllListeners();
    // What it still says while it ends concerns nobody.
    worker?.on('error', () => undefined);
    void worker?.terminate();
  }

  private next(): void {
    if (this.current !== undefined || this.queues.size === 0) return;
    if (this.worker === undefined) this.start();
    if (!this.ready) return;
    const [owner, queue] = this.queues.entries().next().value as [object, Waiting[]];
    const waiting = queue.shift() as Waiting;
    this.queues.delete(owner);
    if (queue.length > 0) this.queues.set(owner, queue);
    this.current = waiting;
    // Only after what has already arrived is read: this thread itself may have stood still.
    const late = (): unknown => setImmediate(() => this.current === waiting && this.overrun());
    this.timer = setTimeout(late, waiting.limitMs);
    try {
      this.worker?.postMessage(waiting.job);
    } catch (error) {
      this.finish()?.reject(error as Error);
      this.next();
    }
  }

  private start(): void {
    const file = import.meta.filename.endsWith('.ts') ? 'schema-worker.ts' : 'schema-worker.mjs';
    const worker = new Worker(new URL(file, import.meta.url), { resourceLimits, execArgv: [] });
    this.worker = worker;
    this.timer = setTimeout(
      () => this.failedToStart(new Error('The schema thread did not start in time.')),
      startLimitMs,
    );
    worker.on('message', (answer: SchemaAnswer) => this.take(answer));
    worker.on('error', (error: Error) => (this.ready ? this.overrun() : this.failedToStart(error)));
    worker.on('exit', () => {
      if (this.ready) this.overrun();
      else this.failedToStart(new Error('The schema thread ended while it started.'));
    });
    // After its listeners, each of which would hold the process again.
    worker.unref();
  }

  private take(answer: SchemaAnswer): void {
    if ('ready' in answer) {
      clearTimeout(this.timer);
      this.ready = true;
    } else this.finish()?.resolve(answer);
    this.next();
  }

  private finish(): Waiting | undefined {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = undefined;
    return current;
  }

  private overrun(): void {
    const current = this.finish();
    this.end();
    current?.reject(new SchemaOverrun('The check took too long or too much memory.'));
    this.next();
  }

  private failedToStart(error: Error): void {
    this.end();
    const waiting = [...this.queues.values()].flat();
    this.queues.clear();
    for (const one of waiting) one.reject(error);
  }
}
