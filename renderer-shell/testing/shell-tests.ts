import { expect, test } from '@playwright/test';
import type { FakeHost } from './fake-host.ts';
import type { OpenShell } from './shell-browser.ts';
import { ShellBrowser } from './shell-browser.ts';

/** Opens the shell in tests. */
export interface ShellTests {
  /** Returns a new service and an empty page; the shell is not opened yet. */
  blank: (...options: Parameters<ShellBrowser['open']>) => Promise<OpenShell>;
  /** Opens the shell, signed in, with a prepared service. */
  open: (
    prepare?: (host: FakeHost) => void,
    ...options: Parameters<ShellBrowser['open']>
  ) => Promise<OpenShell>;
}

/**
 * Launches a browser for the tests of a file. After each test, no page may report errors or have run
 * an injected text.
 */
export function shellTests(): ShellTests {
  let browser: ShellBrowser;
  let opened: OpenShell[] = [];
  test.beforeAll(async () => {
    browser = await ShellBrowser.start();
  });
  test.afterEach(async () => {
    for (const { page, errors } of opened.splice(0)) {
      expect(errors).toEqual([]);
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    }
    await browser.closePages();
  });
  test.afterAll(() => browser.stop());

  const blank: ShellTests['blank'] = async (...options) => {
    const shell = await browser.open(...options);
    opened = [...opened, shell];
    return shell;
  };
  return {
    blank,
    open: async (prepare, ...options) => {
      const shell = await blank(...options);
      prepare?.(shell.service.host);
      await shell.page.goto(shell.service.ticketUrl());
      await shell.page.getByRole('navigation').waitFor();
      return shell;
    },
  };
}
