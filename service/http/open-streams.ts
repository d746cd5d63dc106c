/** The open event streams of a server, so that they can be ended together. */
export class OpenStreams {
  private readonly ends = new Set<() => void>();

  get size(): number {
    return this.ends.size;
  }

  /** Returns a function that removes the stream. */
  add(end: () => void): () => void {
    this.ends.add(end);
    return () => this.ends.delete(end);
  }

  endAll(): void {
    for (const end of this.ends) end();
  }
}
