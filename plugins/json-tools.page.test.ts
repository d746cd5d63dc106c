import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { pluginPages, type PluginPages } from '../plugin-kit/testing/plugin-page.ts';

let pages: PluginPages;

test.beforeAll(async () => {
  pages = await pluginPages(join(import.meta.dirname, 'json-tools'), 'node');
});
test.afterAll(() => pages.close());

test.describe('the page of JSON tools', () => {
  test('it formats at Ctrl+Enter, under the content security policy of the host', async () => {
    const { page, frame, errors } = await pages.open();
    await frame.getByLabel('JSON', { exact: true }).fill('{"b":1,"a":[]}');
    await frame.getByLabel('Sort keys').check();
    await frame.getByLabel('Indent').selectOption('tab');
    await page.keyboard.press('Control+Enter');
    const output = frame.getByRole('textbox', { name: 'Result' });
    await expect.poll(() => output.inputValue()).toBe('{\n\t"a": [],\n\t"b": 1\n}');
    await frame.getByRole('button', { name: 'Copy' }).click();
    await frame.getByRole('button', { name: 'Copied' }).waitFor();
    expect(errors).toEqual([]);
  });

  test('text that is not JSON is reported, and the position is selected', async () => {
    const { frame } = await pages.open();
    const input = frame.getByLabel('JSON', { exact: true });
    await input.fill('[1,\n2,,3]');
    await frame.getByRole('button', { name: 'Format' }).click();
    const message = 'Not valid: line 2, column 3. Expected a value, but found ",".';
    await frame.getByRole('alert').filter({ hasText: message }).waitFor();
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    const selection = () =>
      input.evaluate((field) => {
        const { selectionStart, selectionEnd } = field as unknown as {
          selectionStart: number;
          selectionEnd: number;
        };
        return [selectionStart, selectionEnd];
      });
    await expect.poll(selection).toEqual([6, 7]);
  });

  test('two texts are compared, and the tabs work with arrow keys', async () => {
    const { page, frame } = await pages.open();
    await frame.getByRole('tab', { name: 'Format' }).focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    await frame.getByLabel('Before').fill('{"a":1}');
    await frame.getByLabel('After').fill('{"a":2}');
    await frame.getByRole('button', { name: 'Compare' }).click();
    const cells = frame.getByRole('cell');
    await expect.poll(() => cells.allInnerTexts()).toEqual(['Changed', '/a', '1', '2']);
  });

  test('it is in English if it has no texts in the language of the host', async () => {
    const { frame } = await pages.open('?locale=de');
    await frame.getByRole('heading', { name: 'JSON tools' }).waitFor();
    await expect(frame.locator('html')).toHaveAttribute('lang', 'en');
  });

  test('it is in Chinese and follows theme and language', async () => {
    const { page, frame } = await pages.open('?theme=dark&locale=zh-CN');
    await frame.getByRole('heading', { name: 'JSON 工具' }).waitFor();
    const html = frame.locator('html');
    await expect.poll(() => html.getAttribute('data-theme')).toBe('dark');
    await expect.poll(() => html.getAttribute('lang')).toBe('zh-CN');
    await page.evaluate("send('theme', 'light'); send('locale', 'en')");
    await frame.getByRole('heading', { name: 'JSON tools' }).waitFor();
    await expect.poll(() => html.getAttribute('data-theme')).toBe('light');
  });

  test('a host of another bridge version is reported, and nothing can be run', async () => {
    const { frame } = await pages.open('?version=2');
    const alert = frame.getByRole('alert').filter({ hasText: 'speaks version 2' });
    await alert.waitFor();
    const format = frame.getByRole('button', { name: 'Format' });
    await expect.poll(() => format.isDisabled()).toBe(true);
  });
});
