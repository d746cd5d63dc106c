import { Worker } from 'node:worker_threads';
import { HostError } from '../../../core/host-error.ts';
import { Turns } from '../../../core/turns.ts';
import type { Page } from './plain-page.ts';

/** From the start of the thread to the last word on the page. */
const limitMs = 10_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

export interface PageJob {
  bytes: Uint8Array;
  contentType: string;
  url: string;
  maxCharacters: number;
}

/** A page comes first as plain text, then as Markdown where that is possible in time. */
export interface PageNews {
  page: Page | null;
  last: boolean;
}

/** So many pages are read at once. */
const lanes = [new Turns(), new Turns()];
let jobs = 0;

/**
 * The text of an HTML page, read in a thread of its own: whatever the page does to whoever reads it,
 * the host goes on, and after 10 s there is at least its plain text.
 * @throws HostError `unreadable_page`; the reason of `signal`
 */
export async function pageText(job: PageJob, signal: AbortSignal): Promise<Page> {
  const lane = lanes[(jobs += 1) % lanes.length] as Turns;
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([lane.alone(() => inThread(job, signal)), left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function inThread(job: PageJob, signal: AbortSignal): Promise<Page> {
  signal.throwIfAborted();
  const file = import.meta.filename.endsWith('.ts') ? 'page-worker.ts' : 'page-worker.mjs';
  const options = { workerData: job, resourceLimits, execArgv: [], env: {} };
  const worker = new Worker(new URL(file, import.meta.url), options);
  return new Promise((resolve, reject) => {
    let best: Page | null = null;
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      worker.removeAllListeners();
      // What it still says while it ends concerns nobody.
      worker.on('error', () => undefined);
      void worker.terminate();
      if (best !== null) resolve(best);
      else reject(unreadable());
    };
    const timer = setTimeout(end, limitMs);
    signal.addEventListener('abort', end, { once: true });
    worker.on('message', ({ page, last }: PageNews) => {
      best = page ?? best;
      if (last) end();
    });
    worker.on('error', end);
    worker.on('exit', end);
  });
}

function unreadable(): HostError {
  const message = 'The page takes too long to read or is too large. Use another address.';
  return new HostError('unprocessable', 'unreadable_page', message);
}
