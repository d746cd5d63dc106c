import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { isUnknownDirective, launchChromium } from '../renderer-shell/testing/launch-chromium.ts';
import { createHosts } from './built-host.ts';

/** Pictures to look at; not part of the project. */
const artifacts = join(import.meta.dirname, '..', 'artifacts');
/** For a machine that is busy; what is there at once is not waited for. */
const stepLimitMs = 60_000;

export interface HostPages {
  /** Gone after each test, and their pages before them. */
  hosts: ReturnType<typeof createHosts>;
  /** The page of the test that runs. */
  page(): Page;
  /** Closes the page and opens one that knows nothing of it, before a host goes away. */
  renew(locale?: string): Promise<void>;
  /** Keeps a picture of the page as `<name>.png`. */
  picture(name: string): Promise<void>;
}

/**
 * Hosts and a browser for the tests of a file, with a fresh page for each. After each test nothing
 * may have gone wrong in its pages: on the console, in scripts, or held back by a Content Security
 * Policy. `refusals` are the HTTP statuses that the tests ask for, 0 where nobody answers; the console tells
 * each. A text is a part of what the console tells.
 */
export function hostPages(refusals: readonly (number | string)[] = []): HostPages {
  const hosts = createHosts();
  const expected = refusals.map((status) =>
    typeof status === 'string'
      ? status
      : status === 0
        ? 'net::ERR_'
        : `responded with a status of ${status} `,
  );
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  const open = async (locale = 'en'): Promise<void> => {
    const context = await browser.newContext({
      locale,
      viewport: { width: 1280, height: 800 },
    });
    context.setDefaultTimeout(stepLimitMs);
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    page = await context.newPage();
    page.on('console', (message) => {
      const text = message.text();
      const isExpected = expected.some((part) => text.includes(part));
      if (message.type() === 'error' && !isExpected && !isUnknownDirective(text))
        faults.push(`${text} (${message.location().url.split('?', 1)[0]})`);
    });
    page.on('pageerror', (error) => faults.push(error.message));
  };

  test.beforeAll(async () => {
    browser = await launchChromium();
  });
  test.afterAll(() => browser.close());
  test.beforeEach(() => open());
  test.afterEach(async () => {
    await page.context().close();
    const reported = faults.splice(0);
    await hosts.cleanUp();
    expect(reported).toEqual([]);
  });

  return {
    hosts,
    page: () => page,
    async renew(locale) {
      await page.context().close();
      await open(locale);
    },
    async picture(name) {
      await mkdir(artifacts, { recursive: true });
      await page.screenshot({ path: join(artifacts, `${name}.png`), animations: 'disabled' });
    },
  };
}
