/** What the reader of a channel is called with. */
export interface ChannelReader<T> {
  send(value: T): void;
  end(error?: unknown): void;
}

/**
 * One writer, one reader, one use. Values made before the reader comes are kept for it, up to
 * `maxKept`; beyond that the oldest go. Reading a second time is refused by `open`.
 */
export class Channel<T> {
  private kept: T[] = [];
  private reader: ChannelReader<T> | null = null;
  private opened = false;
  private ended: { error: unknown } | null = null;
  private readonly maxKept: number;

  constructor(maxKept = 10_000) {
    this.maxKept = maxKept;
  }

  get isUsed(): boolean {
    return this.opened;
  }

  send(value: T): void {
    if (this.ended) return;
    if (this.reader) this.reader.send(value);
    else if (!this.opened) {
      this.kept.push(value);
      if (this.kept.length > this.maxKept) this.kept.shift();
    }
  }

  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = { error };
    this.reader?.end(error);
    this.reader = null;
  }

  /** Returns what is called when the reader leaves. The channel does not end by that. */
  open(reader: ChannelReader<T>): () => void {
    this.opened = true;
    for (const value of this.kept) reader.send(value);
    this.kept = [];
    if (this.ended) reader.end(this.ended.error);
    else this.reader = reader;
    return () => {
      this.reader = null;
    };
  }
}
