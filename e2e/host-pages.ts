import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { isUnknownDirective, launchChromium } from '../renderer-shell/testing/launch-chromium.ts';
import { createHosts } from './built-host.ts';

/** Screenshots for review; ignored by git. */
const artifacts = join(import.meta.dirname, '..', 'artifacts');
/** Long enough for a busy machine; nothing waits longer than needed. */
const stepLimitMs = 60_000;

/** Hosts and page of the running test. */
export interface HostPages {
  /** Removed after each test; their pages are closed first. */
  hosts: ReturnType<typeof createHosts>;
  /** The page of the running test. */
  page(): Page;
  /** Replaces the page by a new one without state, before its host is stopped. */
  renew(locale?: string): Promise<void>;
  /** Saves a screenshot of the page as `<name>.png`. */
  picture(name: string): Promise<void>;
}

/**
 * Provides hosts and a browser to the tests of a file, with a new page for each test. Fails a test
 * after console errors, script errors or violations of the Content Security Policy. `refusals`
 * lists expected console messages: HTTP statuses (0 for no connection) or parts of a message.
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
  const problems: string[] = [];

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
        problems.push(`${text} (${message.location().url.split('?', 1)[0]})`);
    });
    page.on('pageerror', (error) => problems.push(error.message));
  };

  test.beforeAll(async () => {
    browser = await launchChromium();
  });
  test.afterAll(() => browser.close());
  test.beforeEach(() => open());
  test.afterEach(async () => {
    await page.context().close();
    const reported = problems.splice(0);
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
