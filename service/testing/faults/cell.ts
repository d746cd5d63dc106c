/** A value that a client set, and what it may be after answers that never came. */
export class Cell<T extends string | number | boolean> {
  private sure: T;
  private readonly doubts = new Set<T>();

  constructor(value: T) {
    this.sure = value;
  }

  /** What was last acknowledged, or seen. */
  get value(): T {
    return this.sure;
  }

  /** A change to `value` is under way. */
  startChange(value: T): void {
    this.doubts.add(value);
  }

  /** It was answered with success. */
  acknowledge(value: T): void {
    this.sure = value;
    this.doubts.clear();
  }

  /** It was refused: nothing has changed. */
  refuse(value: T): void {
    if (this.sure !== value) this.doubts.delete(value);
  }

  may(value: T): boolean {
    return this.sure === value || this.doubts.has(value);
  }

  /** A server may still carry out what was under way, so the doubts stay. */
  see(value: T): void {
    if (!this.may(value)) throw new Error(`${value} is not one of ${this.possible.join(', ')}`);
    this.doubts.add(this.sure);
    this.sure = value;
  }

  get possible(): T[] {
    return [...new Set([this.sure, ...this.doubts])];
  }
}
