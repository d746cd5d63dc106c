const askEveryMs = 2_000;

/**
 * Asks a remote server, as long as somebody waits for it, whether it is still there: the end of one
 * that was killed shows nowhere else. Also asks at once when something looks wrong.
 */
export class SessionWatch {
  private readonly ask: () => Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  private waiting = 0;
  private asking = false;

  /** `ask` settles in every case, and acts on what it learns. */
  constructor(ask: () => Promise<void>) {
    this.ask = ask;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.waiting += 1;
    this.timer ??= setInterval(() => this.look(), askEveryMs).unref();
    try {
      return await work;
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.stop();
    }
  }

  look(): void {
    if (this.asking) return;
    this.asking = true;
    void this.ask().finally(() => (this.asking = false));
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
