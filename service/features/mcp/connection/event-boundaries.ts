const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Finds the ends of events in a stream: empty lines, with any of the three kinds of line ends. */
export class EventBoundaries {
  private isLineStart = true;
  private isAfterReturn = false;

  /**
   * Number of events that end in the chunk, and offset after the last of them (0 if there is none).
   */
  scan(chunk: Uint8Array): { count: number; end: number } {
    let [count, end] = [0, 0];
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const isSecondHalf = byte === lineFeed && this.isAfterReturn;
      this.isAfterReturn = byte === carriageReturn;
      if (isSecondHalf) continue;
      const isLineEnd = byte === lineFeed || byte === carriageReturn;
      if (isLineEnd && this.isLineStart) {
        count += 1;
        end = at + 1;
      }
      this.isLineStart = isLineEnd;
    }
    return { count, end };
  }
}
