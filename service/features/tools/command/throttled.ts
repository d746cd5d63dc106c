import { HeadAndTail } from './head-and-tail.ts';

const everyMs = 100;
/** Limit for one report. */
const maxCharacters = 16 * 1024;

/** Reports pieces of text as they arrive, at most every 100 ms; of a flood only both ends. */
export class Throttled {
  private readonly emit: (text: string) => void;
  private pending = new HeadAndTail(maxCharacters);
  private timer: NodeJS.Timeout | null = null;
  private lastMs = -Infinity;

  constructor(emit: (text: string) => void) {
    this.emit = emit;
  }

  add(text: string): void {
    if (text === '') return;
    this.pending.add(text);
    const dueMs = this.lastMs + everyMs - performance.now();
    this.timer ??= setTimeout(() => this.flush(), Math.max(0, dueMs));
  }

  /** Reports the pending text. */
  flush(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    const text = this.pending.text();
    this.pending = new HeadAndTail(maxCharacters);
    this.lastMs = performance.now();
    try {
      this.emit(text);
    } catch {
      // The listener is gone; the command continues.
    }
  }
}
