import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { chatPages, runs } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

// Drafts of a workflow are incomplete, which the host reports.
const pages = hostPages([422]);
const { picture } = pages;
const openChat = chatPages(pages);

/** Returns the focused element, and whether its focus is visible. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const nameOf = (one: HTMLElement): string => {
      const label = one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : null;
      const by = one.getAttribute('aria-labelledby')?.split(' ');
      const labels = by?.map((id) => document.getElementById(id)?.textContent).join(' ');
      return one.getAttribute('aria-label') ?? labels ?? label ?? one.textContent;
    };
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return { name: '', visible: true };
    const field = at.matches('input, textarea, [contenteditable="true"], iframe');
    const parts = [at, ...at.querySelectorAll('*'), at.closest('.card'), at.nextElementSibling];
    const outlined = parts
      .filter((part) => part instanceof Element)
      .flatMap((part) => [getComputedStyle(part), getComputedStyle(part, '::after')])
      .some(
        ({ outlineStyle, outlineWidth, boxShadow }) =>
          (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
      );
    const name = nameOf(at);
    // Fields show the focus by their border.
    return { name: name.trim(), visible: field || outlined };
  });

/**
 * Presses a key until the focused element has this name; checks that the focus is always visible.
 */
async function pressTo(page: Page, key: string, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press(key);
    const now = await focus(page);
    expect(now.visible, `the focus on “${now.name}” is seen`).toBe(true);
    if (name.test(now.name)) return;
    seen.push(now.name.slice(0, 30));
  }
  throw new Error(`${key} does not lead to ${name.source}, but to ${seen.join(' | ')}`);
}

const tabTo = (page: Page, name: RegExp): Promise<void> => pressTo(page, 'Tab', name);

const hash = (page: Page): string => new URL(page.url()).hash;

test('the main task of each area works without a mouse, and the focus is always visible', async () => {
  const { page, model, script } = await openChat();
  script({ text: ['About apples.'] });
  await page.keyboard.press('Control+1');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('What are apples?');
  await page.keyboard.press('Enter');
  await page.getByText('About apples.').waitFor();
  await page.getByText('tokens/s').waitFor();
  await page.keyboard.press('Control+Shift+O');
  await expect.poll(() => hash(page)).toBe('#/chat');
  await page.keyboard.press('Control+f');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('About apples.').waitFor();

  const plan = { steps: [{ title: 'Count', tool: 'measure', arguments: { text: 'one two' } }] };
  model.script(() => ({ text: ['```json\n', JSON.stringify(plan), '\n```'] }));
  await page.keyboard.press('Control+2');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('Count two words');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Review the plan' }).waitFor();
  await tabTo(page, /^Approve and run/);
  await picture('keyboard-focus');
  await page.keyboard.press('Enter');
  await page.locator('.toolbar').getByText('Completed').waitFor();

  await page.keyboard.press('Control+3');
  await page.getByRole('main').getByRole('button', { name: 'New empty workflow' }).waitFor();
  await tabTo(page, /^New empty workflow$/);
  await page.keyboard.press('Enter');
  const search = page.getByRole('textbox', { name: 'Search steps' });
  await search.waitFor();
  await tabTo(page, /^Search steps$/);
  await page.keyboard.type('wait');
  await page.keyboard.press('Enter');
  await page.locator('.react-flow__node-step').waitFor();

  await page.keyboard.press('Control+4');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('measure');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Measure' }).waitFor();
  await tabTo(page, /^Disable$/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Enable' }).first().waitFor();

  await page.keyboard.press('Control+5');
  await page.getByRole('textbox', { name: 'Search the store' }).waitFor();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('measure');
  await expect.poll(() => page.locator('.card').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Measure' }).waitFor();

  await page.keyboard.press('Control+6');
  await page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
  await tabTo(page, /^Import from JSON$/);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Server configuration (JSON)' }).waitFor();

  await page.keyboard.press('Control+,');
  await page.getByRole('textbox', { name: 'Search settings' }).waitFor();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('isolation');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => hash(page)).toBe('#/settings/plugins');
  await tabTo(page, /^Require a checksum$/);
});

test('overlays are closed by Escape, and the focus returns to its origin', async () => {
  const { page, script } = await openChat();
  const stop = Promise.withResolvers<undefined>();
  script({ text: ['First.'] }, { ...runs('ls'), until: stop.promise });
  const dialog = page.getByRole('dialog');
  const back = async (name: RegExp): Promise<void> => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await focus(page)).name).toMatch(name);
  };
  await page.keyboard.press('Control+4');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await tabTo(page, /^Keyboard shortcuts$/);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await back(/^Keyboard shortcuts$/);
  await tabTo(page, /^Notifications/);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await back(/^Notifications/);
  await page.keyboard.press('Control+k');
  await dialog.waitFor();
  await back(/^Notifications/);

  await page.keyboard.press('Control+f');
  await page.keyboard.type('measure');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Measure' }).waitFor();
  await tabTo(page, /^More actions$/);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Uninstall…' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await focus(page)).name).toBe('More actions');
  await page.keyboard.press('Enter');
  // The menu accepts keys shortly after it becomes visible.
  const inMenu = page.locator('[role="menu"]:focus, [role="menu"] :focus');
  await inMenu.waitFor({ state: 'attached' });
  await pressTo(page, 'ArrowDown', /^Uninstall…$/);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await back(/^More actions$/);
  stop.resolve(undefined);
});
