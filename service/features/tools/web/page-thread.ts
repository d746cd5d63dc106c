import { Worker } from 'node:worker_threads';
import { Mutex } from 'async-mutex';
import { HostError } from '../../../core/host-error.ts';
import { orAborted } from '../../../core/or-aborted.ts';
import type { Page } from './plain-page.ts';

/** For one page, once the thread is there. */
const limitMs = 10_000;
const startLimitMs = 30_000;
/** A thread that nobody needs any more goes. */
const idleMs = 60_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

export interface PageJob {
  bytes: Uint8Array;
  contentType: string;
  /** What links are relative to. */
  url: string;
  maxCharacters: number;
}

/** A page comes first as plain text, then as Markdown where that is possible in time. */
export type PageNews = 'ready' | { page: Page; last: boolean };

/**
 * Reads HTML pages in a thread of its own, one after the other: whatever a page does to whoever reads
 * it, the host goes on. The thread starts with the first page, and anew after one that overran.
 */
export class PageThread {
  private readonly lock = new Mutex();
  private worker: Worker | undefined;
  private ready = false;
  private idle: NodeJS.Timeout | undefined;

  /**
   * The readable text of a page as Markdown; where that takes longer than 10 s, its plain text.
   * @throws HostError `unreadable_page`; the reason of `signal`
   */
  async read(job: PageJob, signal: AbortSignal): Promise<Page> {
    return orAborted(
      this.lock.runExclusive(() => this.work(job, signal)),
      signal,
    );
  }

  /** Ends the thread; a page that is being read fails. */
  end(): void {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    this.ready = false;
    worker?.removeAllListeners();
    // What it still says while it ends concerns nobody.
    worker?.on('error', () => undefined);
    void worker?.terminate();
  }

  private work(job: PageJob, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    clearTimeout(this.idle);
    const worker = (this.worker ??= start());
    return new Promise((resolve, reject) => {
      let best: Page | null = null;
      let timer: NodeJS.Timeout;
      const over = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        if (best === null) reject(unreadable());
        else resolve(best);
      };
      const giveUp = (): void => {
        this.end();
        over();
      };
      const send = (): void => {
        timer = setTimeout(giveUp, limitMs);
        worker.postMessage(job);
      };
      const take = (news: PageNews): void => {
        if (news === 'ready') {
          clearTimeout(timer);
          this.ready = true;
          send();
          return;
        }
        best = news.page;
        if (!news.last) return;
        worker.removeAllListeners();
        // One that ends while nothing is asked of it is replaced.
        worker.on('error', () => this.end());
        this.idle = setTimeout(() => this.end(), idleMs).unref();
        over();
      };
      worker.removeAllListeners().on('message', take).on('error', giveUp).on('exit', giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      if (this.ready) send();
      else timer = setTimeout(giveUp, startLimitMs);
    });
  }
}

function start(): Worker {
  const file = import.meta.filename.endsWith('.ts') ? 'page-worker.ts' : 'page-worker.mjs';
  const options = { resourceLimits, execArgv: [], env: {} };
  const worker = new Worker(new URL(file, import.meta.url), options);
  worker.unref();
  return worker;
}

function unreadable(): HostError {
  const message = 'The page takes too long to read or is too large. Use another address.';
  return new HostError('unprocessable', 'unreadable_page', message);
}
