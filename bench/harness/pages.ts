import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { token } from './two-servers.ts';

const limitMs = 120_000;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--disable-background-networking', '--no-first-run', '--js-flags=--expose-gc'],
    timeout: limitMs,
  });
}

/** Opens a page with the host's token and an empty cache. */
export async function openPage(browser: Browser): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    locale: 'en',
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(limitMs);
  await context.addInitScript((value) => sessionStorage.setItem('host.token', value), token);
  return context.newPage();
}

/** Returns the milliseconds between frames of the page while `work` runs. */
export async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const next = (): void => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      if (!('framesEnd' in globalThis)) requestAnimationFrame(next);
    };
    Object.assign(globalThis, { frames });
    requestAnimationFrame(next);
  });
  await work();
  return page.evaluate(() => {
    const { frames } = globalThis as unknown as { frames: number[] };
    const all = frames.slice(1);
    Object.assign(globalThis, { framesEnd: true });
    return new Promise<number[]>((resolve) =>
      requestAnimationFrame(() => {
        Reflect.deleteProperty(globalThis, 'framesEnd');
        resolve(all);
      }),
    );
  });
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Returns the JavaScript heap size in bytes after garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
