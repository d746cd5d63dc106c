import { HostError } from '../../../core/host-error.ts';
import type { BrowserAction, BrowserProfile, Done, Given } from '../browser-engine.ts';
import { type ChromiumProcess, unavailable } from './chromium-process.ts';
import { ThreadLine } from './thread-line.ts';

/** A process of Chromium and the thread that drives it: they end together. */
export class RunningChromium {
  private readonly chromium: ChromiumProcess;
  private readonly line: ThreadLine;
  private readonly ended = Promise.withResolvers<void>();
  private profiles = 0;
  private numbers = 0;
  private over: HostError | null = null;
  onUnused: () => void = () => undefined;
  onGone: () => void = () => undefined;

  /** @throws HostError `browser_unavailable` */
  static async start(chromium: ChromiumProcess): Promise<RunningChromium> {
    const running = new RunningChromium(chromium);
    try {
      await running.line.call('connect', {});
      return running;
    } catch (error) {
      await running.end('It did not start.');
      throw unavailable(running.said(), error);
    }
  }

  private constructor(chromium: ChromiumProcess) {
    this.chromium = chromium;
    this.line = new ThreadLine({
      write: (bytes) => {
        chromium.to.write(bytes);
      },
      flow: (mayGoOn) => {
        if (mayGoOn) chromium.from.resume();
        else chromium.from.pause();
      },
      broken: (why) => void this.end(why),
    });
    chromium.from.on('data', (bytes: Buffer) => this.line.hear(bytes));
    void chromium.exited.then(({ code, signal }) => {
      void this.end(`It ended by itself (${signal ?? `exit code ${code}`}).`);
    });
  }

  get isUnused(): boolean {
    return this.profiles === 0;
  }

  get isGone(): boolean {
    return this.over !== null;
  }

  /** The line of its stderr that says most, for a person. */
  said(): string {
    const lines = this.chromium.said().split('\n');
    const telling = lines.find((line) => /sandbox|error|fail/i.test(line)) ?? '';
    return telling === '' ? 'It did not start.' : `It says: ${telling.trim().slice(0, 300)}`;
  }

  async open(proxyPort: number): Promise<BrowserProfile> {
    const profile = (this.numbers += 1);
    this.profiles += 1;
    const left = (): void => {
      this.profiles -= 1;
      if (this.profiles === 0) this.onUnused();
    };
    try {
      await this.line.call('open', { profile, proxyPort });
    } catch (error) {
      left();
      throw error;
    }
    const run = <Action extends BrowserAction>(action: Action, given: Given<Action>) =>
      this.line.call('run', { profile, action, given }) as Promise<Done<Action>>;
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      await this.line.call('close', { profile }).catch(() => undefined);
      left();
    };
    return { run, close: () => (closed ??= close()) };
  }

  /** Resolves when nothing of it is left. */
  end(why: string): Promise<void> {
    if (this.over) return this.ended.promise;
    const message = `The browser is gone with its tabs. ${why} Begin anew with browser_navigate.`;
    this.over = new HostError('unavailable', 'browser_unavailable', message);
    this.line.end(this.over);
    this.onGone();
    void this.chromium.end().finally(() => this.ended.resolve());
    return this.ended.promise;
  }
}
