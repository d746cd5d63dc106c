const maxQueued = 20;

/** Messages for the page, queued until it listens. */
export class WindowNews {
  private readonly deliver: (channel: string, value: string) => void;
  private readonly subscribed = new Set<string>();
  private queued: { channel: string; value: string }[] = [];

  constructor(send: (channel: string, value: string) => void) {
    this.deliver = send;
  }

  send(channel: string, value: string): void {
    if (this.subscribed.has(channel)) this.deliver(channel, value);
    else this.queued = [...this.queued, { channel, value }].slice(-maxQueued);
  }

  subscribe(channel: string): void {
    this.subscribed.add(channel);
    const mine = this.queued.filter((one) => one.channel === channel);
    this.queued = this.queued.filter((one) => one.channel !== channel);
    for (const { value } of mine) this.deliver(channel, value);
  }

  /** Queues again, because another page is about to load. */
  reset(): void {
    this.subscribed.clear();
  }
}
