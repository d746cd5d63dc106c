const newline = 0x0a;
const firstCapacityBytes = 64 * 1024;
/** A larger buffer is freed after its line. */
const maxRetainedCapacityBytes = 2 * 1024 * 1024;
const overlongHeadBytes = 1_024;

/** The limit and the listeners of `JsonLines`. */
export interface JsonLinesOptions {
  /** Longest line in bytes, without its newline. */
  maxLineBytes: number;
  /** One line as text, without its newline. */
  onLine(line: string): void;
  /** Called once for a line over the limit, with its first 1 KiB; the line is skipped. */
  onTooLong(head: string): void;
}

/**
 * Splits a byte stream into lines of text. Whole lines are decoded a chunk at a time, and the
 * start of an unfinished one waits in a single buffer that doubles, so a line of any number of
 * chunks is copied about twice and never needs more memory than its limit.
 */
export class JsonLines {
  private readonly options: JsonLinesOptions;
  private retained: Buffer = empty();
  private retainedBytes = 0;
  private skipping = false;
  private stopped = false;

  constructor(options: JsonLinesOptions) {
    this.options = options;
  }

  push(chunk: Buffer): void {
    if (this.stopped) return;
    let start = 0;
    if (this.retainedBytes > 0 || this.skipping) {
      const end = chunk.indexOf(newline);
      this.hold(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) return;
      this.finishRetained();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(newline);
    if (last >= start) {
      this.emit(chunk, start, last);
      start = last + 1;
    }
    if (start < chunk.length) this.hold(chunk.subarray(start));
  }

  /** Ends the stream: an unfinished line counts as the last one. */
  end(): void {
    if (this.retainedBytes > 0) this.finishRetained();
    this.stop();
  }

  /** Stops all reports, including those for the rest of the current chunk. */
  stop(): void {
    this.stopped = true;
    this.release();
  }

  private emit(chunk: Buffer, start: number, end: number): void {
    if (end - start > this.options.maxLineBytes) {
      this.emitCarefully(chunk, start, end);
      return;
    }
    const text = chunk.toString('utf8', start, end);
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      this.options.onLine(text.slice(from, at));
      if (this.stopped) return;
      from = at + 1;
    }
    this.options.onLine(from === 0 ? text : text.slice(from));
  }

  /** A chunk larger than the limit may contain an overlong line, so each line is checked. */
  private emitCarefully(chunk: Buffer, start: number, end: number): void {
    for (let from = start; from <= end && !this.stopped;) {
      const at = chunk.indexOf(newline, from);
      if (at - from > this.options.maxLineBytes) this.tooLong(chunk.subarray(from, at));
      else this.options.onLine(chunk.toString('utf8', from, at));
      from = at + 1;
    }
  }

  private hold(piece: Buffer): void {
    if (this.skipping || this.stopped) return;
    const needed = this.retainedBytes + piece.length;
    if (needed > this.options.maxLineBytes) {
      const start = this.retained.subarray(0, Math.min(this.retainedBytes, overlongHeadBytes));
      const head = Buffer.concat([start, piece.subarray(0, overlongHeadBytes)]);
      this.release();
      this.skipping = true;
      this.tooLong(head);
      return;
    }
    if (needed > this.retained.length) this.grow(needed);
    this.retained.set(piece, this.retainedBytes);
    this.retainedBytes = needed;
  }

  private grow(neededBytes: number): void {
    const doubled = Math.max(firstCapacityBytes, this.retained.length * 2, neededBytes);
    const capacity = Math.max(neededBytes, Math.min(doubled, this.options.maxLineBytes));
    // `transfer` frees the old memory at once instead of leaving it to garbage collection.
    const store = this.retained.buffer as ArrayBuffer;
    this.retained = Buffer.from(store.transfer(capacity));
  }

  private finishRetained(): void {
    if (this.skipping) {
      this.skipping = false;
      return;
    }
    const line = this.retained.toString('utf8', 0, this.retainedBytes);
    this.retainedBytes = 0;
    if (this.retained.length > maxRetainedCapacityBytes) this.release();
    this.options.onLine(line);
  }

  private tooLong(line: Buffer): void {
    this.options.onTooLong(line.toString('utf8', 0, overlongHeadBytes));
  }

  private release(): void {
    if (this.retained.length > 0) (this.retained.buffer as ArrayBuffer).transfer(0);
    this.retained = empty();
    this.retainedBytes = 0;
  }
}

/** Allocates separate memory: the usual empty buffer may share a pool. */
function empty(): Buffer {
  return Buffer.from(new ArrayBuffer(0));
}
