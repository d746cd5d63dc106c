const maxPending = 20;

/** Messages to the shell page: stored until it listens on their channel, the newest 20 of them. */
export class PendingMessages {
  private readonly deliver: (channel: string, value: string) => void;
  private readonly ready = new Set<string>();
  private pending: { channel: string; value: string }[] = [];

  constructor(deliver: (channel: string, value: string) => void) {
    this.deliver = deliver;
  }

  send(channel: string, value: string): void {
    if (this.ready.has(channel)) this.deliver(channel, value);
    else this.pending = [...this.pending, { channel, value }].slice(-maxPending);
  }

  listens(channel: string): void {
    this.ready.add(channel);
    const mine = this.pending.filter((one) => one.channel === channel);
    this.pending = this.pending.filter((one) => one.channel !== channel);
    for (const { value } of mine) this.deliver(channel, value);
  }

  /** Called before another page is loaded: it listens on no channel yet. */
  reset(): void {
    this.ready.clear();
  }
}
