import { join } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import type { Log } from '../../log.ts';
import type { Processes } from '../../processes.ts';
import type { BrowserEngine, BrowserProfile } from '../browser-engine.ts';
import { findBrowser } from '../find-browser.ts';
import { type ChromiumOrder, startChromium, unavailable } from './chromium-process.ts';
import { RunningChromium } from './running-chromium.ts';
import { SharedChromium } from './shared-chromium.ts';
import { msg } from '../../../messages/index.ts';

/** Time after which the program is searched for again, in ms, since it may have been installed. */
const recheckMs = 30_000;

/** Dependencies of `ChromiumEngine`. */
export interface ChromiumPorts {
  processes: Processes;
  log: Log;
  /** The option `host.browser.path`: absolute path, or null to search for an installed one. */
  named: string | null;
  /** A folder that only this engine uses while the host runs. */
  directory: string;
}

/** An installed Chromium without a window, started on first use. */
export class ChromiumEngine implements BrowserEngine {
  private readonly ports: ChromiumPorts;
  private readonly shared = new SharedChromium(() => this.start());
  private lastSearch: { program: Promise<string | null>; atMs: number } | undefined;
  private starts = 0;
  private noSandbox: string | null =
    process.platform !== 'win32' && process.getuid?.() === 0 ? 'the host runs as root' : null;

  constructor(ports: ChromiumPorts) {
    this.ports = ports;
    void this.program();
  }

  async isAvailable(): Promise<boolean> {
    return (await this.program()) !== null;
  }

  unsandboxed(): string | null {
    return this.noSandbox;
  }

  open({ proxyPort }: { proxyPort: number }): Promise<BrowserProfile> {
    return this.shared.open(proxyPort);
  }

  close(): Promise<void> {
    return this.shared.close();
  }

  /** The last result stays valid until a new search has ended. */
  private program(): Promise<string | null> {
    const nowMs = performance.now();
    const { lastSearch } = this;
    if (lastSearch && nowMs - lastSearch.atMs < recheckMs) return lastSearch.program;
    const search = findBrowser(this.ports.named).catch(() => null);
    this.lastSearch = { program: lastSearch?.program ?? search, atMs: nowMs };
    void search.then((found) => {
      this.lastSearch = { program: Promise.resolve(found), atMs: nowMs };
    });
    return this.lastSearch.program;
  }

  private async start(): Promise<RunningChromium> {
    const program = await this.program();
    if (program === null) throw unavailable(msg('browser.noneFound'));
    const { processes, log } = this.ports;
    const order = (): ChromiumOrder => ({
      program,
      // A new name, since the previous folder may still be in deletion.
      directory: join(this.ports.directory, String((this.starts += 1))),
      sandboxed: this.noSandbox === null,
    });
    try {
      return await RunningChromium.start(await startChromium(processes, order()));
    } catch (error) {
      if (
        this.noSandbox !== null ||
        !(error instanceof HostError) ||
        !/sandbox/i.test(error.message)
      )
        throw error;
      this.noSandbox = 'this machine does not let Chromium make one';
      log.warn('browser', `Chromium runs without its own sandbox: ${error.message}`);
      return RunningChromium.start(await startChromium(processes, order()));
    }
  }
}
