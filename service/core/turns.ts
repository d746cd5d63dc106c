/** One at a time, in the order of coming. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private taken = false;

  /** Calls `work` when it is its turn, at once where nobody is before it; `leave` ends the turn. */
  enter(work: (leave: () => void) => void): void {
    if (this.taken) {
      this.waiting.push(() => this.run(work));
      return;
    }
    this.taken = true;
    this.run(work);
  }

  /** A turn that is as long as `work`. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const leave = await new Promise<() => void>((resolve) => this.enter(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private run(work: (leave: () => void) => void): void {
    let left = false;
    work(() => {
      if (left) return;
      left = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.taken = false;
    });
  }
}
