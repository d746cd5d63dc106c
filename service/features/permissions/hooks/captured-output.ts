import type { Readable } from 'node:stream';

/** The captured start of an output stream, up to a limit of bytes. */
export interface CapturedOutput {
  text(): string;
  isCut(): boolean;
  /** When the stream has ended, or was closed. */
  ended: Promise<void>;
}

/**
 * Keeps the first `keptBytes`; the rest is read and thrown away, so that the other side can go on.
 * `onBytes` hears of all that comes.
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
    // A copy: a small piece would hold the whole block that it was read into.
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

/** Without the half of a character that the cut left at the end. */
function textOf(bytes: Buffer, cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: cut });
}
