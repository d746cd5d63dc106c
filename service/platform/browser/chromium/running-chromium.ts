import { HostError } from '../../../core/host-error.ts';
import type {
  BrowserAction,
  BrowserProfile,
  ActionResult,
  ActionInput,
} from '../browser-engine.ts';
import { type ChromiumProcess, unavailable } from './chromium-process.ts';
import { ThreadChannel } from './thread-channel.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** A Chromium process and the thread that drives it, which end together. */
export class RunningChromium {
  private readonly chromium: ChromiumProcess;
  private readonly channel: ThreadChannel;
  private readonly ended = Promise.withResolvers<void>();
  private profiles = 0;
  private numbers = 0;
  private over: HostError | null = null;
  onUnused: () => void = () => undefined;
  onExit: () => void = () => undefined;

  /** @throws HostError `browser_unavailable` */
  static async start(chromium: ChromiumProcess): Promise<RunningChromium> {
    const running = new RunningChromium(chromium);
    try {
      await running.channel.call('connect', {});
      return running;
    } catch (error) {
      await running.end(msg('browser.didNotStart'));
      throw unavailable(running.startError(), error);
    }
  }

  private constructor(chromium: ChromiumProcess) {
    this.chromium = chromium;
    this.channel = new ThreadChannel({
      write: (bytes) => {
        chromium.to.write(bytes);
      },
      setFlowing: (flowing) => {
        if (flowing) chromium.from.resume();
        else chromium.from.pause();
      },
      broken: (why) => void this.end(why),
    });
    chromium.from.on('data', (bytes: Buffer) => this.channel.receive(bytes));
    void chromium.exited.then(({ code, signal }) => {
      void this.end(
        signal === null
          ? msg('browser.endedWithCode', { code: String(code) })
          : msg('browser.endedBySignal', { signal }),
      );
    });
  }

  get isUnused(): boolean {
    return this.profiles === 0;
  }

  get isClosed(): boolean {
    return this.over !== null;
  }

  /** The most informative line of its stderr, as a message. */
  startError(): Message {
    const lines = this.chromium.stderrTail().split('\n');
    const informativeLine = lines.find((line) => /sandbox|error|fail/i.test(line)) ?? '';
    return informativeLine === ''
      ? msg('browser.didNotStart')
      : msg('browser.says', { output: informativeLine.trim().slice(0, 300) });
  }

  async open(proxyPort: number): Promise<BrowserProfile> {
    const profile = (this.numbers += 1);
    this.profiles += 1;
    const release = (): void => {
      this.profiles -= 1;
      if (this.profiles === 0) this.onUnused();
    };
    try {
      await this.channel.call('open', { profile, proxyPort });
    } catch (error) {
      release();
      throw error;
    }
    const run = <Action extends BrowserAction>(action: Action, input: ActionInput<Action>) =>
      this.channel.call('run', { profile, action, input }) as Promise<ActionResult<Action>>;
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      await this.channel.call('close', { profile }).catch(() => undefined);
      release();
    };
    return { run, close: () => (closed ??= close()) };
  }

  /** Resolves when both have ended. */
  end(why: Message): Promise<void> {
    if (this.over) return this.ended.promise;
    const message = msg('browser.gone', { reason: why });
    this.over = new HostError('unavailable', 'browser_unavailable', message);
    this.channel.end(this.over);
    this.onExit();
    void this.chromium.end().finally(() => this.ended.resolve());
    return this.ended.promise;
  }
}
