/** Notifies a client when the list that it received is outdated. */
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

  /** Records the list that the client received. */
  recordSent(list: readonly object[]): void {
    this.listed = JSON.stringify(list);
  }

  /** Must be called after changes that may affect the list. Concurrent calls share one check. */
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
      // The client requested the list meanwhile, either before or after the change.
      if (this.listed !== before) this.isStale = true;
      else if (now !== before) {
        this.listed = now;
        await this.notify().catch(() => undefined);
      }
    }
  }
}
