/** What the reader of a channel is called with. */
export interface ChannelReader<T> {
  send(value: T): void;
  end(error?: unknown): void;
}

export interface ChannelOptions<T> {
  /** So many values are kept for a reader who has not come yet; beyond that the oldest go. */
  maxBuffered?: number;
  /** Makes one of two values that wait for their reader, where that says the same. */
  merge?: (last: T, next: T) => T | null;
  /** Told when the reader comes and when it leaves. */
  onReader?: (present: boolean) => void;
  /** Told of each value before its reader is, also where there is none. */
  onSend?: (value: T) => void;
}

/**
 * One writer, one reader, one use. Values made before the reader comes are kept for it; later ones are
 * told at the end of the tick in which they were made. Reading a second time is refused by `open`.
 */
export class Channel<T> {
  private buffered: T[] = [];
  private reader: ChannelReader<T> | null = null;
  private opened = false;
  private ended: { error: unknown } | null = null;
  /** Whether what is kept will be told at the end of this tick. */
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

  /** Returns what is called when the reader leaves. The channel does not end by that. */
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
