/** Tells a client that the list which it was given is no longer true. */
export class ListChanges {
  private listed: string | null = null;
  private checking: Promise<void> | null = null;
  private isStale = false;
  private readonly read: () => Promise<readonly object[]>;
  private readonly notify: () => Promise<void>;

  constructor(read: () => Promise<readonly object[]>, notify: () => Promise<void>) {
    this.read = read;
    this.notify = notify;
  }

  /** Notes what the client was given. */
  recordSent(list: readonly object[]): void {
    this.listed = JSON.stringify(list);
  }

  /** Something changed that may change the list. However often it is called, one check runs at a time. */
  check(): void {
    this.isStale = true;
    this.checking ??= this.run().finally(() => {
      this.checking = null;
      if (this.isStale) this.check();
    });
  }

  private async run(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      const before = this.listed;
      if (before === null) return;
      const now = await this.read().then(JSON.stringify, () => before);
      // The client asked for the list meanwhile; whether before or after the change is unknown.
      if (this.listed !== before) this.isStale = true;
      else if (now !== before) {
        this.listed = now;
        await this.notify().catch(() => undefined);
      }
    }
  }
}
