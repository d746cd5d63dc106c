import { PassThrough } from 'node:stream';
import { HostError } from '../../../core/host-error.ts';
import type { BrowserEngine, BrowserProfile } from '../browser-engine.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { PipeTransport } from './pipe-transport.ts';
import { RunningChromium } from './running-chromium.ts';
import { SharedChromium } from './shared-chromium.ts';
import { msg } from '../../../messages/index.ts';

/** Most bytes buffered for the thread; this browser cannot be paused. */
const maxBufferedBytes = 128 * 1024 ** 2;

/** A browser inside this process that accepts DevTools messages like a separate one. */
export interface DevtoolsBrowser {
  send(message: object): void;
  /** Closes all its pages. */
  end(): Promise<void>;
}

/** Drives a browser that is already running, in a thread like an installed one. */
export class DrivenEngine implements BrowserEngine {
  private readonly shared: SharedChromium;

  /** @param connect returns the browser; it calls `onMessage` with each response and event */
  constructor(connect: (onMessage: (message: object) => void) => DevtoolsBrowser) {
    this.shared = new SharedChromium(() => RunningChromium.start(asProcess(connect)));
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  unsandboxed(): null {
    return null;
  }

  async open({ proxyPort }: { proxyPort: number }): Promise<BrowserProfile> {
    try {
      return await this.shared.open(proxyPort);
    } catch (error) {
      const isClosing = error instanceof HostError && error.code === 'host_closing';
      throw isClosing ? error : browserUnusable(error);
    }
  }

  close(): Promise<void> {
    return this.shared.close();
  }
}

/** There is no fallback: an installed browser would have another profile and other limits. */
function browserUnusable(error: unknown): HostError {
  const first = error instanceof HostError && error.cause instanceof Error ? error.cause : error;
  const errorText = first instanceof Error ? first.message : String(first);
  const reason = errorText.slice(0, 300).replace(/[.\s]+$/, '');
  const message = msg('browser.appBrowserFailed', { reason });
  return new HostError('unavailable', 'browser_unavailable', message, { cause: error });
}

/** The browser in the form of a process with two pipes, as the thread expects it. */
function asProcess(
  connect: (onMessage: (message: object) => void) => DevtoolsBrowser,
): ChromiumProcess {
  const from = new PassThrough();
  const ended = Promise.withResolvers<{ code: number | null; signal: null }>();
  const browser = connect((message) => {
    if (from.readableLength > maxBufferedBytes) ended.resolve({ code: null, signal: null });
    else from.write(`${JSON.stringify(message)}\0`);
  });
  const transport = new PipeTransport(() => undefined);
  transport.onmessage = (message) => browser.send(message);
  return {
    from,
    to: { write: (bytes: Uint8Array) => transport.receive(Buffer.from(bytes)) },
    exited: ended.promise,
    stderrTail: () => '',
    end: () => browser.end(),
  };
}
