import { Mutex } from 'async-mutex';
import { HostError } from '../../../core/host-error.ts';
import { orAborted } from '../../../core/or-aborted.ts';
import { JobThread } from '../../../platform/job-thread.ts';
import type * as Jobs from './page-worker.ts';
import type { PageJob } from './page-worker.ts';
import type { Page } from './plain-page.ts';
import { msg } from '../../../messages/index.ts';

/** Time limit for one page, after the thread has started. */
const limitMs = 10_000;
/** Idle time after which the thread ends. */
const idleMs = 60_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

/** Reads HTML pages in a thread, one after the other. */
export class PageThread {
  private readonly lock = new Mutex();
  private readonly thread = new JobThread<typeof Jobs>({
    name: 'page-worker',
    parentUrl: import.meta.url,
    resourceLimits,
    idleMs,
  });

  /**
   * Returns the readable text of a page as Markdown; if that takes longer than 10 s, its plain
   * text.
   * @throws HostError `unreadable_page`; the reason of `signal`
   */
  async read(job: PageJob, signal: AbortSignal): Promise<Page> {
    return orAborted(
      this.lock.runExclusive(() => this.work(job, signal)),
      signal,
    );
  }

  /** Ends the thread; a page in progress fails. */
  end(): void {
    this.thread.end();
  }

  /** Reads the page as plain text first, then as Markdown if that is possible in time. */
  private async work(job: PageJob, signal: AbortSignal): Promise<Page> {
    const plain = await this.plain(job, signal).catch(() => {
      throw unreadable();
    });
    if (!plain.isReadable) return plain.page;
    const remaining = { limitMs: limitMs - plain.tookMs, signal };
    const readable = await this.thread.run('readable', job, remaining).catch(() => null);
    return readable === null || readable.text === '' ? plain.page : { ...plain.page, ...readable };
  }

  private async plain(job: PageJob, signal: AbortSignal) {
    await this.thread.run('ready', null, { limitMs, signal });
    const started = performance.now();
    const plain = await this.thread.run('plain', job, { limitMs, signal });
    return { ...plain, tookMs: performance.now() - started };
  }
}

function unreadable(): HostError {
  const message = msg('webFetch.unreadable');
  return new HostError('unprocessable', 'unreadable_page', message);
}
