import { JobThread } from '../../../platform/job-thread.ts';
import type * as Jobs from './document-worker.ts';
import type { DocumentProblem } from './document-worker.ts';

/** Time limit for all documents of a message; the sender waits for them. */
export const documentsLimitMs = 20_000;
/** Share of the time for pages, which are read sequentially. */
const softShare = 0.7;
const idleMs = 60_000;
const maxCharacters = 8_000_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
/** Additional memory for a document: buffers are not limited by the thread. */
const maxGrowthBytes = 1024 ** 3;
const watchMs = 50;

export type DocumentKind = 'pdf' | 'docx';

/** The text of a document, or the reason why it has none. */
export type DocumentOutcome =
  { text: string } | { problem: DocumentProblem | 'noText' | 'tooComplex' };

/** Reads the text of documents in a thread, one after the other. */
export class DocumentReader {
  private readonly thread = new JobThread<typeof Jobs>({
    name: 'document-worker',
    parentUrl: import.meta.url,
    resourceLimits,
    idleMs,
  });

  /** Never rejects. `tooComplex`: reading exceeded `limitMs` or the memory limit. */
  async read(kind: DocumentKind, bytes: Buffer, limitMs: number): Promise<DocumentOutcome> {
    const startRss = process.memoryUsage.rss();
    const tooMuch = new AbortController();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - startRss > maxGrowthBytes) tooMuch.abort();
    }, watchMs);
    try {
      const job = { bytes, softLimitMs: limitMs * softShare, maxCharacters };
      const outcome = await this.thread.run(kind, job, { limitMs, signal: tooMuch.signal });
      if ('problem' in outcome) return outcome;
      const text = outcome.text.toWellFormed();
      return text.trim() === '' ? { problem: 'noText' } : { text };
    } catch {
      return { problem: 'tooComplex' };
    } finally {
      clearInterval(watch);
    }
  }

  /** Ends the thread; a document in progress fails. */
  end(): void {
    this.thread.end();
  }
}
