import { hostClosing } from '../../../core/host-error.ts';
import type { BrowserProfile } from '../browser-engine.ts';
import type { RunningChromium } from './running-chromium.ts';
import { msg } from '../../../messages/index.ts';

/** An unused browser is ended after this time, in ms. */
const unusedMs = 30_000;

/** One browser for all users: started for the first one, ended some time after the last. */
export class SharedChromium {
  private readonly start: () => Promise<RunningChromium>;
  private running: Promise<RunningChromium> | undefined;
  private unused: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(start: () => Promise<RunningChromium>) {
    this.start = start;
  }

  async open(proxyPort: number): Promise<BrowserProfile> {
    if (this.closed) throw hostClosing();
    clearTimeout(this.unused);
    const starting = (this.running ??= this.launch());
    const running = await starting.catch((error: unknown) => {
      // The next user tries again.
      if (this.running === starting) this.running = undefined;
      throw error;
    });
    clearTimeout(this.unused);
    return running.open(proxyPort);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.unused);
    const running = await this.running?.catch(() => undefined);
    await running?.end(msg('host.isClosing'));
  }

  private async launch(): Promise<RunningChromium> {
    const running = await this.start();
    running.onExit = () => (this.running = undefined);
    running.onUnused = () => this.endUnused(running);
    return running;
  }

  private endUnused(running: RunningChromium): void {
    clearTimeout(this.unused);
    this.unused = setTimeout(() => {
      if (running.isUnused) void running.end(msg('browser.closedIdle'));
    }, unusedMs).unref();
  }
}
