const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Finds where events of a stream end: at an empty line, whatever of the three ways lines end in. */
export class EventBoundaries {
  private isLineStart = true;
  private isAfterReturn = false;

  /** How many lines are empty, and where in the chunk what follows the last of them begins; 0: none is. */
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
