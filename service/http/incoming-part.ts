import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file up to this size is kept in memory and written at once, in bytes. */
const bufferedFileBytes = 64 * 1024;

/** A part of a body that was read to its end. */
export interface IncomingPart {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** The bytes that are not on disk yet: all of a small file; null for a large one. */
  buffered: Buffer | null;
}

/**
 * Reads one part of a body to its end and hashes it; a large one is written to a new file at
 * `path`.
 */
export async function readPart(
  source: Readable,
  path: string,
  signal: AbortSignal,
): Promise<IncomingPart> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measured = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of addAbortSignal(signal, source) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  };
  const chunks = measured();
  const head: Buffer[] = [];
  let next = await chunks.next();
  for (; !next.done && sizeBytes <= bufferedFileBytes; next = await chunks.next())
    head.push(next.value);
  if (next.done) return { sizeBytes, sha256: hash.digest('hex'), buffered: Buffer.concat(head) };
  const { value } = next;
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield* [...head, value];
    yield* chunks;
  };
  await pipeline(rest, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return { sizeBytes, sha256: hash.digest('hex'), buffered: null };
}
