/**
 * Publishes values to the current subscribers. A listener that throws does not affect the others.
 */
export class Topic<T> {
  private readonly listeners = new Set<(value: T) => void>();
  private readonly onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = () => undefined) {
    this.onError = onError;
  }

  get size(): number {
    return this.listeners.size;
  }

  publish(value: T): void {
    for (const listener of this.listeners) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
