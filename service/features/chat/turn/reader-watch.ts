const unreadMs = 60_000;
const disconnectGraceMs = 500;

/** Ends a turn that nobody reads and that belongs to no conversation. */
export class ReaderWatch {
  private readonly abort: () => void;
  /** Returns true if a person controls the turn without reading it. */
  private readonly waitsForPerson: () => boolean;
  private readers = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(abort: () => void, waitsForPerson: () => boolean) {
    this.abort = abort;
    this.waitsForPerson = waitsForPerson;
    this.abortAfter(unreadMs);
  }

  /** `mayReturn`: true if the reader can reconnect without missing events. */
  onReader(present: boolean, { mayReturn }: { mayReturn: boolean }): void {
    clearTimeout(this.timer);
    this.readers += present ? 1 : -1;
    if (this.readers > 0 || this.waitsForPerson()) return;
    this.abortAfter(mayReturn ? unreadMs : disconnectGraceMs);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private abortAfter(afterMs: number): void {
    this.timer = setTimeout(this.abort, afterMs).unref();
  }
}
