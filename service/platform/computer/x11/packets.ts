const maxBytes = 160 * 1024 ** 2;

/**
 * Splits a byte stream into packets: a header of fixed length that contains the length of the rest.
 */
export class Packets {
  private readonly headBytes: number;
  private readonly restOf: (head: Buffer) => number;
  private readonly onPacket: (packet: Buffer) => void;
  private packet: Buffer;
  private filled = 0;
  private hasHead = false;

  constructor(options: {
    headBytes: number;
    restOf: (head: Buffer) => number;
    onPacket: (packet: Buffer) => void;
  }) {
    this.headBytes = options.headBytes;
    this.restOf = options.restOf;
    this.onPacket = options.onPacket;
    this.packet = Buffer.allocUnsafe(this.headBytes);
  }

  /** @throws RangeError for a packet larger than any image */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.packet, this.filled, at);
      at += copied;
      this.filled += copied;
      if (this.filled === this.packet.length) this.next();
    }
  }

  private next(): void {
    const rest = this.hasHead ? 0 : this.restOf(this.packet);
    if (rest > maxBytes) throw new RangeError(`A packet of ${rest} bytes`);
    this.hasHead = rest > 0;
    const { packet } = this;
    this.packet = Buffer.allocUnsafe(this.headBytes + rest);
    if (rest > 0) {
      packet.copy(this.packet);
      return;
    }
    this.filled = 0;
    this.onPacket(packet);
  }
}
