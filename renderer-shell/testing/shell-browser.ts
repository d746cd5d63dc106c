import type { Browser, Page } from 'playwright-core';
import { builtShell } from './built-shell.ts';
import type { FakeDirectories } from './fake-service.ts';
import { FakeService } from './fake-service.ts';
import { isUnknownDirective, launchChromium } from './launch-chromium.ts';

/** A page with its own service, and the errors in it. */
export interface OpenShell {
  page: Page;
  service: FakeService;
  /** Violations of the content security policy and script errors, in the shell and its frames. */
  errors: string[];
}

/** The built shell and a browser, for the tests of one file. */
export class ShellBrowser {
  readonly #built: FakeDirectories;
  readonly #browser: Browser;
  readonly #closers: (() => Promise<void>)[] = [];

  private constructor(built: FakeDirectories, browser: Browser) {
    this.#built = built;
    this.#browser = browser;
  }

  static async start(): Promise<ShellBrowser> {
    return new ShellBrowser(builtShell(), await launchChromium());
  }

  /** Returns a new service and an empty page; the shell is not opened yet. */
  async open(
    viewport = { width: 1280, height: 800 },
    options: { locale?: string; reducedMotion?: 'reduce' } = {},
  ): Promise<OpenShell> {
    const service = new FakeService(this.#built);
    await service.start();
    const context = await this.#browser.newContext({ viewport, locale: 'en', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // Network failures are part of some tests, and the page itself reports them.
      const text = message.text();
      const isExpected = text.startsWith('Failed to load resource') || isUnknownDirective(text);
      if (message.type() === 'error' && !isExpected) errors.push(text);
    });
    this.#closers.push(async () => {
      await context.close();
      await service.stop();
    });
    return { page, service, errors: errors };
  }

  /** Closes what was opened since the last call. */
  async closePages(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }

  async stop(): Promise<void> {
    await this.closePages();
    await this.#browser.close();
  }
}
