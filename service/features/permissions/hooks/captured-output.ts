import type { Readable } from 'node:stream';

/** The captured start of an output stream, up to a limit of bytes. */
export interface CapturedOutput {
  text(): string;
  isCut(): boolean;
  /** Resolves when the stream has ended or was closed. */
  ended: Promise<void>;
}

/**
 * Captures the first `maxBytes` of a stream. The rest is read and discarded, so that the writer
 * does not block. `onBytes` receives the size of every chunk.
 */
export function captureOutput(
  stream: Readable,
  maxBytes: number,
  onBytes: (count: number) => void,
): CapturedOutput {
  const chunks: Buffer[] = [];
  let length = 0;
  let cut = false;
  stream.on('data', (chunk: Buffer) => {
    onBytes(chunk.length);
    const remaining = maxBytes - length;
    cut ||= chunk.length > remaining;
    if (remaining <= 0) return;
    // A copy, because a small slice would retain the whole block that it was read into.
    const part = Buffer.from(chunk.subarray(0, remaining));
    chunks.push(part);
    length += part.length;
  });
  const ended = new Promise<void>((resolve) => {
    stream.once('close', resolve);
  });
  return {
    text: () => textOf(Buffer.concat(chunks), cut),
    isCut: () => cut,
    ended,
  };
}

/** Decodes the bytes, without a character that the limit cut in half. */
function textOf(bytes: Buffer, cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: cut });
}
