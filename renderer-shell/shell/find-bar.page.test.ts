import { expect, test } from '@playwright/test';
import type { Page } from 'playwright-core';
import { addPlugin } from '../testing/fake-host.ts';
import { shellTests } from '../testing/shell-tests.ts';

const shell = shellTests();

const marked = (name: string) => (page: Page) =>
  page.evaluate(
    (which) => [...(CSS.highlights.get(which) ?? [])].map((range) => (range as Range).toString()),
    name,
  );
const all = marked('found');
const current = marked('found-current');

test('finds text in the visible page with the keyboard only, and returns the focus', async () => {
  const { page } = await shell.open((host) => {
    for (const name of ['Words one', 'words two', 'Other'])
      addPlugin(host, `com.example.${name.replace(' ', '-').toLowerCase()}`, { name });
  });
  const entry = page.getByRole('button', { name: /^Words one/ }).first();
  await entry.focus();
  await page.keyboard.press('Control+Shift+f');
  const bar = page.getByRole('search', { name: 'Find on this page' });
  const field = bar.getByRole('textbox', { name: 'Find' });
  await expect(field).toBeFocused();
  await page.keyboard.type('wORDs ');
  const count = bar.getByRole('status');
  /**
   * Returns the count in the bar and the highlighted matches: the page may show more at any moment.
   */
  const readCount = async () => {
    const [, at, of] = /^(\d+) of (\d+)$/.exec((await count.textContent()) ?? '') ?? [];
    const found = await all(page);
    const isHighlighted =
      found.length > 1 && found.every((text) => text.toLowerCase() === 'words ');
    return {
      at: Number(at),
      isLast: at === of,
      isCounted: Number(of) === found.length,
      isHighlighted,
    };
  };
  const right = { isCounted: true, isHighlighted: true };
  await expect.poll(readCount).toEqual({ at: 1, isLast: false, ...right });
  expect(await current(page)).toEqual(['Words ']);
  await page.keyboard.press('Shift+Enter');
  await expect.poll(readCount).toMatchObject({ isLast: true, ...right });
  await page.keyboard.press('Enter');
  await expect.poll(readCount).toMatchObject({ at: 1, ...right });
  await bar.getByRole('button', { name: 'Next result' }).click();
  await expect.poll(readCount).toMatchObject({ at: 2, ...right });
  // The text of the field itself is not searched.
  await field.fill('nowhere to be seen');
  await expect(count).toHaveText('No results');
  expect(await all(page)).toEqual([]);
  await field.fill('(.*');
  await expect(count).toHaveText('No results');
  await field.fill('words');
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  expect([await all(page), await current(page)]).toEqual([[], []]);
  await expect(entry).toBeFocused();
});
