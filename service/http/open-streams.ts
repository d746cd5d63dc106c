/** The event streams that are being read, so that they can be ended together. */
export class OpenStreams {
  private readonly ends = new Set<() => void>();

  get size(): number {
    return this.ends.size;
  }

  /** Returns what takes the stream off the list. */
  add(end: () => void): () => void {
    this.ends.add(end);
    return () => this.ends.delete(end);
  }

  endAll(): void {
    for (const end of this.ends) end();
  }
}
