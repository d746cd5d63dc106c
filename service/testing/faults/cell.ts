/** A value that a client set, and its possible values after requests without an answer. */
export class Cell<T extends string | number | boolean> {
  private sure: T;
  private readonly doubts = new Set<T>();

  constructor(value: T) {
    this.sure = value;
  }

  /** The last acknowledged or observed value. */
  get value(): T {
    return this.sure;
  }

  /** A change to `value` has been requested. */
  startChange(value: T): void {
    this.doubts.add(value);
  }

  /** The change was acknowledged. */
  acknowledge(value: T): void {
    this.sure = value;
    this.doubts.clear();
  }

  /** The change was refused; nothing has changed. */
  refuse(value: T): void {
    if (this.sure !== value) this.doubts.delete(value);
  }

  may(value: T): boolean {
    return this.sure === value || this.doubts.has(value);
  }

  /** A server may still apply pending changes, so they remain possible. */
  see(value: T): void {
    if (!this.may(value)) throw new Error(`${value} is not one of ${this.possible.join(', ')}`);
    this.doubts.add(this.sure);
    this.sure = value;
  }

  get possible(): T[] {
    return [...new Set([this.sure, ...this.doubts])];
  }
}
