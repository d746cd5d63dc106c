/** Limit of one message, in bytes; longer ones are hostile. */
const maxMessageBytes = 96 * 1024 ** 2;

/** Events without a listener that a page could send endlessly. */
const ignoredEvents = [
  ...['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'],
  ...['Network.dataReceived', 'Network.webSocketFrameReceived', 'Network.webSocketFrameSent'],
].map((method) => Buffer.from(`{"method":"${method}"`));

/** DevTools messages: JSON, each terminated by NUL. Accepts chunks of any size. */
export class PipeTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  private pieces: Buffer[] = [];
  private size = 0;
  private readonly write: (bytes: Uint8Array) => void;

  constructor(write: (bytes: Uint8Array) => void) {
    this.write = write;
  }

  send(message: object): void {
    this.write(Buffer.from(`${JSON.stringify(message)}\0`));
  }

  close(): void {
    this.pieces = [];
  }

  /** False if a message exceeds the limit. */
  receive(bytes: Buffer): boolean {
    for (let start = 0; ;) {
      const end = bytes.indexOf(0, start);
      const piece = bytes.subarray(start, end < 0 ? bytes.length : end);
      this.size += piece.length;
      if (this.size > maxMessageBytes) return false;
      this.pieces.push(piece);
      if (end < 0) return true;
      this.deliver();
      start = end + 1;
    }
  }

  private deliver(): void {
    const frame = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces, this.size);
    this.pieces = [];
    this.size = 0;
    if (!frame || ignoredEvents.some((start) => frame.subarray(0, start.length).equals(start)))
      return;
    // Each in its own task, so that the receiver of a response can subscribe before the next event.
    setImmediate(() => this.onmessage?.(JSON.parse(frame.toString('utf8')) as object));
  }
}
