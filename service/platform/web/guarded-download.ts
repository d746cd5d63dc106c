import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { type Answer, exchange, type FetchOptions } from './exchange.ts';

/** Options of a download to a file. */
export interface DownloadOptions extends FetchOptions {
  /** Called with the bytes written so far, and the total or null if unknown. */
  onProgress?: (received: number, total: number | null) => void;
}

/** A completed download. */
export interface Downloaded {
  status: number;
  /** Address after redirects. */
  url: string;
  sizeBytes: number;
  /** Hash of the file, in hex. */
  sha256: string;
}

/**
 * Like `guardedFetch`, but writes the body to `file`, which must not exist. A status other than 2xx
 * writes nothing; a failure leaves nothing behind. @throws HostError like `guardedFetch`; errors of
 * the file unchanged
 */
export async function guardedDownload(
  url: string,
  file: string,
  options: DownloadOptions,
): Promise<Downloaded> {
  const headers = { 'accept-encoding': 'identity', ...options.headers };
  return exchange(url, { ...options, headers }, async (answer) => {
    const succeeded = answer.status >= 200 && answer.status <= 299;
    const written = succeeded ? await write(answer, file, options.onProgress) : nothing;
    return { status: answer.status, url: answer.url, ...written };
  });
}

const nothing = { sizeBytes: 0, sha256: createHash('sha256').digest('hex') };

async function write(
  answer: Answer,
  file: string,
  onProgress: DownloadOptions['onProgress'],
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  // Never follows a link, never overwrites a file.
  const handle = await open(file, 'wx', 0o600);
  try {
    await answer.read(async (piece) => {
      hash.update(piece);
      await handle.writeFile(piece);
      sizeBytes += piece.length;
      onProgress?.(sizeBytes, answer.totalBytes);
    });
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(file, { force: true });
    throw error;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
