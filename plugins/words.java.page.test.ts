import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { pluginPages, type PluginPages } from '../plugin-kit/testing/plugin-page.ts';

let pages: PluginPages;

test.beforeAll(async () => {
  pages = await pluginPages(join(import.meta.dirname, 'words'), 'java');
});
test.afterAll(() => pages.close());

test.describe('the page of Words', () => {
  test('it counts, lists and rates one text', async () => {
    const { frame, errors } = await pages.open();
    await frame.getByLabel('Text').fill('The cat sat on the mat.');
    await frame.getByRole('button', { name: 'Run' }).click();
    const result = frame.getByRole('tabpanel');
    await expect.poll(() => result.innerText()).toMatch(/6\s+Words|Words\s+6/);
    await frame.getByRole('tab', { name: 'Frequency' }).click();
    const row = frame.getByRole('row', { name: 'the 2 33.3%' });
    await row.waitFor();
    await frame.getByRole('tab', { name: 'Readability' }).click();
    await expect.poll(() => result.innerText()).toContain('Very easy');
    expect(errors).toEqual([]);
  });

  test('without a text it shows a message and focuses the field', async () => {
    const { frame } = await pages.open('?locale=zh-CN');
    await frame.getByRole('button', { name: '运行' }).click();
    await frame.getByRole('alert').filter({ hasText: '请先输入或粘贴文本。' }).waitFor();
    await frame.locator('#text:focus').waitFor();
  });

  test('invalid numbers are not sent', async () => {
    const { frame } = await pages.open();
    await frame.getByLabel('Text').fill('one');
    await frame.getByRole('tab', { name: 'Frequency' }).click();
    await frame.getByLabel('List').fill('0');
    await frame.getByRole('button', { name: 'Run' }).click();
    await frame.getByRole('alert').filter({ hasText: 'Enter whole numbers' }).waitFor();
  });

  test('a host without a file picker gets no button for it', async () => {
    const { frame } = await pages.open();
    await frame.locator('#run:enabled').waitFor();
    expect(await frame.getByRole('button', { name: 'Choose file' }).count()).toBe(0);
  });
});
