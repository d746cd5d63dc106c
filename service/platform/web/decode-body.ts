import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { unreachable } from './web-failure.ts';
import { msg } from '../../messages/index.ts';

/** Encodings of a response; more than one is rare, many are an attack. */
const maxEncodings = 3;

/**
 * Removes the content encodings of a body and unpacks it at the speed of its reader. Errors of the
 * source end it. @throws HostError `unreachable` for an encoding that was not requested
 */
export async function decodeBody(
  body: Readable,
  contentEncoding: string | undefined,
  host: string,
): Promise<Readable> {
  let decoded = body;
  for (const encoding of encodingsOf(contentEncoding, host).reverse()) {
    const start = await firstByte(decoded);
    // An empty body is valid in every encoding.
    if (start === null) return decoded;
    // An error propagates to the last stream, where it is read.
    decoded = pipeline(decoded, decoderOf(encoding, start), () => undefined);
  }
  return decoded;
}

type Encoding = 'gzip' | 'br' | 'deflate';

function encodingsOf(text: string | undefined, host: string): Encoding[] {
  const names = (text ?? '').split(',').map((name) => name.trim().toLowerCase());
  const encodings = names.filter((name) => name !== '' && name !== 'identity').map(plainName);
  if (encodings.length <= maxEncodings && encodings.every(isEncoding)) return encodings;
  throw unreachable(msg('web.unknownEncoding', { host }));
}

function plainName(name: string): string {
  return name.replace(/^x-/, '');
}

function isEncoding(name: string): name is Encoding {
  return name === 'gzip' || name === 'br' || name === 'deflate';
}

function decoderOf(encoding: Encoding, start: number): Transform {
  switch (encoding) {
    case 'gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Servers send deflate with the header of zlib or without.
      return (start & 0x0f) === 8 ? createInflate() : createInflateRaw();
  }
}

/** Reads the first byte and puts it back; null if the stream ends without one. */
async function firstByte(stream: Readable): Promise<number | null> {
  const settled = new AbortController();
  const { signal } = settled;
  const chunkOf = (): Buffer | null => stream.read() as Buffer | null;
  try {
    await Promise.race([once(stream, 'readable', { signal }), once(stream, 'end', { signal })]);
    const chunk = chunkOf();
    if (chunk === null) return null;
    stream.unshift(chunk);
    return chunk[0] ?? null;
  } finally {
    settled.abort();
  }
}
