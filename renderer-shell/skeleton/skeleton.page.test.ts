import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { FakeHost } from '../testing/fake-host.ts';
import { runnerImport } from 'vite';
import { messageGroups } from '../message-groups.ts';
import { shellTests } from '../testing/shell-tests.ts';
import type { Skeletons } from './markup.tsx';

const shell = shellTests();
const markup = join(import.meta.dirname, 'markup.tsx');
const { module } = await runnerImport<Skeletons>(markup, {
  configFile: false,
  plugins: [messageGroups()],
});
const { frames } = module;
const startScript = '**/assets/start-*.js';

/** Opens the page with only its skeleton, until `release` is called. */
async function openSkeleton(prepare: (host: FakeHost) => void = () => undefined) {
  const { page, service } = await shell.blank();
  prepare(service.host);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(startScript, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(service.ticketUrl(), { waitUntil: 'commit' });
  return { page, service, release };
}

/** Returns the texts, positions and colors of the bar and the head of the list. */
const seenIn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.activity, .activity-button, .list, .list-head h2')].map(
      (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { color, backgroundColor, fontFamily, visibility } = getComputedStyle(element);
        const label = element.getAttribute('aria-label') ?? element.textContent;
        const hidden = visibility === 'hidden';
        // Controls that do not work yet keep their position.
        if (hidden || element.classList.contains('activity-collapse')) return { x, y };
        return { label, x, y, width, height, color, backgroundColor, fontFamily };
      },
    ),
  );

test.describe('the first frame', () => {
  const variants: [string, Partial<FakeHost['settings']>][] = [
    ['in English', {}],
    ['in Chinese, dark', { language: 'zh-CN', theme: 'dark' }],
    ['without labels', { sidebarCollapsed: true }],
  ];
  for (const [how, settings] of variants)
    test(`matches the loaded page, ${how}`, async () => {
      const { page, release } = await openSkeleton(
        (host) => void Object.assign(host.settings, settings),
      );
      await page.locator('.first-frame .list-head h2').waitFor();
      const first = await seenIn(page);
      expect(first.map((each) => each.label)).toContain(
        frames[settings.language === 'zh-CN' ? 'zh-CN' : 'en'].titles.plugins,
      );
      release();
      await page.getByRole('navigation').waitFor();
      expect(await page.locator('.first-frame').count()).toBe(0);
      expect(await seenIn(page)).toEqual(first);
    });

  test('is hidden from assistive technology and the keyboard', async () => {
    const { page, release } = await openSkeleton();
    await page.locator('.first-frame .list-head h2').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    release();
    await page.getByRole('navigation').waitFor();
  });

  for (const area of Object.keys(frames.en.titles))
    test(`opens ${area} by a click on it`, async () => {
      const { page, release } = await openSkeleton();
      const button = page.locator(`.first-frame [data-area="${area}"]`);
      await button.click();
      expect(await button.getAttribute('data-chosen')).toBe('true');
      expect(await page.locator('.first-frame [data-chosen="true"]').count()).toBe(1);
      const title = frames.en.titles[area as keyof typeof frames.en.titles];
      expect(await page.locator('.first-frame h2').textContent()).toBe(title);
      release();
      await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
      await page.locator(`[data-area="${area}"][aria-current="page"]`).waitFor();
    });

  test('has no button without a function', async () => {
    const { page, release } = await openSkeleton();
    await page.locator('.first-frame .list-head h2').waitFor();
    const inactive = page.locator('.first-frame button:visible:not([data-area])');
    expect(await inactive.count()).toBe(0);
    release();
    await page.getByRole('navigation').waitFor();
  });

  test('is not shown before the host is set up, or without a token', async () => {
    const setup = await openSkeleton((host) => void (host.setup.initialized = false));
    setup.release();
    await setup.page.getByRole('heading', { level: 1 }).waitFor();
    const { page, service } = await shell.blank();
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('.first-frame')) Object.assign(window, { seenFrame: true });
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Connect to the host' }).waitFor();
    expect(await page.evaluate(() => 'seenFrame' in window)).toBe(false);
  });

  test('is replaced by a message when the rest of the page cannot be loaded', async () => {
    const { page, service } = await shell.blank();
    await page.route(startScript, (route) => route.abort());
    await page.goto(service.ticketUrl());
    await page.getByText(frames.en.failed).waitFor();
    expect(await page.locator('.first-frame').count()).toBe(0);
  });
});

test.describe('the markup of the first frame', () => {
  test('has no style, handler or script of its own, which the policy of the page refuses', () => {
    for (const { html } of Object.values(frames))
      expect(html).not.toMatch(/\sstyle=|\son\w+=|<script|<style/);
  });
});
