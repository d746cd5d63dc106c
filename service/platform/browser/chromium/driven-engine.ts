import { PassThrough } from 'node:stream';
import { HostError } from '../../../core/host-error.ts';
import type { BrowserEngine, BrowserProfile } from '../browser-engine.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { PipeTransport } from './pipe-transport.ts';
import { RunningChromium } from './running-chromium.ts';

/** So much may wait for the thread that drives it; it cannot be told to wait itself. */
const maxWaitingBytes = 128 * 1024 ** 2;
const unusedMs = 30_000;

/** A browser inside this process that takes the messages of the DevTools protocol as a whole one does. */
export interface DevtoolsBrowser {
  take(message: object): void;
  /** Ends all its pages. */
  end(): Promise<void>;
}

/** Drives a browser that is there already, in a thread as the one that is installed. */
export class DrivenEngine implements BrowserEngine {
  private readonly connect: (say: (message: object) => void) => DevtoolsBrowser;
  private running: Promise<RunningChromium> | undefined;
  private unused: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param connect what is given to `say` is what the browser says: answers and events */
  constructor(connect: (say: (message: object) => void) => DevtoolsBrowser) {
    this.connect = connect;
  }

  isThere(): Promise<boolean> {
    return Promise.resolve(true);
  }

  unsandboxed(): null {
    return null;
  }

  async open({ proxyPort }: { proxyPort: number }): Promise<BrowserProfile> {
    if (this.closed)
      throw new HostError('unavailable', 'browser_unavailable', 'The host is closing.');
    clearTimeout(this.unused);
    try {
      const running = await (this.running ??= this.start());
      clearTimeout(this.unused);
      return await running.open(proxyPort);
    } catch (error) {
      throw doesNotWork(error);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.unused);
    const running = await this.running?.catch(() => undefined);
    await running?.end('The host is closing.');
  }

  private start(): Promise<RunningChromium> {
    const starting = this.begin();
    starting.catch(() => {
      if (this.running === starting) this.running = undefined;
    });
    return starting;
  }

  private async begin(): Promise<RunningChromium> {
    const running = await RunningChromium.start(asProcess(this.connect));
    running.onGone = () => (this.running = undefined);
    running.onUnused = () => this.endUnused(running);
    return running;
  }

  /** Its thread is not kept for nobody. */
  private endUnused(running: RunningChromium): void {
    clearTimeout(this.unused);
    this.unused = setTimeout(() => {
      if (running.isUnused) void running.end('Nobody used it.');
    }, unusedMs).unref();
  }
}

/** Nothing takes its place: an installed browser would have another profile and other limits. */
function doesNotWork(error: unknown): HostError {
  const first = error instanceof HostError && error.cause instanceof Error ? error.cause : error;
  const said = first instanceof Error ? first.message : String(first);
  const reason = said.slice(0, 300).replace(/[.\s]+$/, '');
  const words = `The browser of this app does not work here: ${reason}. Start the app again. If that does not help, start it with --headless: then an installed Chromium is used.`;
  return new HostError('unavailable', 'browser_unavailable', words, { cause: error });
}

/** What the thread speaks to, in the shape of a process with two pipes. */
function asProcess(connect: (say: (message: object) => void) => DevtoolsBrowser): ChromiumProcess {
  const from = new PassThrough();
  const ended = Promise.withResolvers<{ code: number | null; signal: null }>();
  const browser = connect((message) => {
    if (from.readableLength > maxWaitingBytes) ended.resolve({ code: null, signal: null });
    else from.write(`${JSON.stringify(message)}\0`);
  });
  const transport = new PipeTransport(() => undefined);
  transport.onmessage = (message) => browser.take(message);
  return {
    from,
    to: { write: (bytes: Uint8Array) => transport.take(Buffer.from(bytes)) },
    exited: ended.promise,
    said: () => '',
    end: () => browser.end(),
  };
}
