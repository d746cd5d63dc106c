const mostKept = 20;

/** Messages for the page, queued until it listens. */
export class WindowNews {
  private readonly send: (channel: string, value: string) => void;
  private readonly heard = new Set<string>();
  private kept: { channel: string; value: string }[] = [];

  constructor(send: (channel: string, value: string) => void) {
    this.send = send;
  }

  tell(channel: string, value: string): void {
    if (this.heard.has(channel)) this.send(channel, value);
    else this.kept = [...this.kept, { channel, value }].slice(-mostKept);
  }

  isHeard(channel: string): void {
    this.heard.add(channel);
    const mine = this.kept.filter((one) => one.channel === channel);
    this.kept = this.kept.filter((one) => one.channel !== channel);
    for (const { value } of mine) this.send(channel, value);
  }

  /** Queues again, because another page is about to load. */
  isGone(): void {
    this.heard.clear();
  }
}
