/** Receives the values of a channel; `end` is called once, after the last value. */
export interface ChannelReader<T> {
  send(value: T): void;
  end(error?: unknown): void;
}

/** Limits and listeners of a `Channel`. */
export interface ChannelOptions<T> {
  /**
   * Most values that are buffered until the reader comes; then the oldest are dropped. Default: 10
   * 000.
   */
  maxBuffered?: number;
  /** Joins two buffered values into one; null keeps both. */
  merge?: (last: T, next: T) => T | null;
  /** Called when the reader comes (true) and leaves (false). */
  onReader?: (present: boolean) => void;
  /** Called with each value at once, even when there is no reader. */
  onSend?: (value: T) => void;
}

/**
 * One writer, one reader, one use. Values sent before the reader comes are buffered; later ones are
 * delivered at the end of their tick. Check `isUsed` before `open`, which does not refuse a second
 * reader itself.
 */
export class Channel<T> {
  private buffered: T[] = [];
  private reader: ChannelReader<T> | null = null;
  private opened = false;
  private ended: { error: unknown } | null = null;
  /** True if the buffer will be delivered at the end of this tick. */
  private isDue = false;
  private readonly options: ChannelOptions<T>;

  constructor(options: ChannelOptions<T> = {}) {
    this.options = options;
  }

  get isUsed(): boolean {
    return this.opened;
  }

  send(value: T): void {
    if (!this.ended) this.options.onSend?.(value);
    if (this.ended || (this.opened && !this.reader)) return;
    this.buffer(value);
    if (this.reader && !this.isDue) {
      this.isDue = true;
      process.nextTick(() => this.flush());
    }
  }

  private buffer(value: T): void {
    const { maxBuffered = 10_000, merge } = this.options;
    const last = this.buffered.at(-1);
    const merged = last === undefined ? null : (merge?.(last, value) ?? null);
    if (merged !== null) this.buffered[this.buffered.length - 1] = merged;
    else this.buffered.push(value);
    if (!this.opened && this.buffered.length > maxBuffered) this.buffered.shift();
  }

  private flush(): void {
    const { buffered } = this;
    this.buffered = [];
    this.isDue = false;
    for (const value of buffered) this.reader?.send(value);
  }

  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = { error };
    if (!this.reader) return;
    this.flush();
    this.reader.end(error);
    this.reader = null;
  }

  /**
   * Attaches the reader and delivers the buffer. Returns a function that detaches it, which does
   * not end the channel.
   */
  open(reader: ChannelReader<T>): () => void {
    this.opened = true;
    this.reader = reader;
    this.flush();
    if (this.ended) {
      reader.end(this.ended.error);
      this.reader = null;
    }
    this.options.onReader?.(true);
    return () => {
      this.reader = null;
      this.options.onReader?.(false);
    };
  }
}
