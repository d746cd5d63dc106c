import { expect, test } from '@playwright/test';
import { addPlugin } from '../testing/fake-host.ts';
import { shellTests } from '../testing/shell-tests.ts';

const shell = shellTests();

const open = (...options: Parameters<typeof shell.blank>) =>
  shell.open((host) => void addPlugin(host, 'com.example.words', { name: 'Words' }), ...options);

test.describe('the keys', () => {
  test('open the palette, which finds and runs commands and plugins', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^Words/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('open wor');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('show the shortcuts, but not while a question mark is typed', async () => {
    const { page } = await open();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+f');
    await page.keyboard.press('?');
    await expect.poll(() => page.getByLabel('Search plugins').inputValue()).toBe('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('reach every control by Tab, with the focus visible', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.frameLocator('iframe').getByText('com.example.words').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const seen = new Set<string>();
    for (let n = 0; n < 25; n += 1) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at === document.body || at instanceof HTMLIFrameElement) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        const name = at.getAttribute('aria-label') ?? at.textContent ?? '';
        return { name, visible: outlineStyle !== 'none' && outlineWidth !== '0px' };
      });
      if (!focus) continue;
      seen.add(focus.name);
      // Text fields show the focus by their border.
      if (focus.name !== 'Search plugins') expect(focus.visible, focus.name).toBe(true);
    }
    for (const name of [
      'Plugins',
      'Settings',
      'Install from file',
      'Disable',
      'Log',
      'More actions',
    ]) {
      expect(seen).toContain(name);
    }
  });
});

test.describe('the settings', () => {
  test('change theme, language, log level and checksum permanently', async () => {
    const { page, service } = await open();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('Dark', { exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']))
      .toBe('dark');
    await page.getByRole('button', { name: /^Plugins and isolation/ }).click();
    await page.getByRole('switch', { name: 'Require a checksum' }).press('Space');
    await page.getByRole('combobox', { name: 'Log level', exact: true }).click();
    await page.getByRole('option', { name: 'Debug' }).click();
    await page.getByRole('button', { name: /^Appearance and language/ }).click();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: '中文' }).click();
    await page.getByRole('heading', { name: '设置', level: 1 }).waitFor();
    expect(service.host.settings).toMatchObject({
      theme: 'dark',
      language: 'zh-CN',
      logLevel: 'DEBUG',
      requirePluginChecksum: true,
    });
    await page.reload();
    await page.getByRole('heading', { name: '设置', level: 1 }).waitFor();
  });

  test('show the error when a change cannot be stored', async () => {
    const { page, service } = await open();
    await page.getByRole('button', { name: 'Settings' }).click();
    const dark = page.getByText('Dark', { exact: true });
    await dark.waitFor();
    await service.stop();
    await dark.click();
    // A list that is being read at this moment shows the same message with a button.
    await page
      .getByRole('alert')
      .filter({ hasText: /^The host is not responding\. It may be starting or stopped\.$/ })
      .waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe(
      'light',
    );
  });
});

test.describe('a narrow window', () => {
  test('shows the plugins first, then the page, and the list above it on demand', async () => {
    const { page } = await open({ width: 700, height: 700 });
    await page.getByRole('button', { name: 'Open Words' }).click();
    await page.locator('iframe').waitFor();
    await page.getByLabel('Search plugins').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Show the list' }).click();
    await page.getByLabel('Search plugins').waitFor();
    await page.locator('.cover').click({ position: { x: 600, y: 300 } });
    await page.getByLabel('Search plugins').waitFor({ state: 'hidden' });
  });

  test('never scrolls sideways', async () => {
    const { page } = await open({ width: 420, height: 700 });
    await page.getByRole('button', { name: 'Open Words' }).click();
    await page.locator('iframe').waitFor();
    await page.frameLocator('iframe').getByText('com.example.words').waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});

test.describe('the page itself', () => {
  test('has no inline script, style or handler', async () => {
    const { service } = await open();
    const html = await (await fetch(service.url)).text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(html).toMatch(/<meta name="style-nonce" content="[A-Za-z0-9+/=]{20,}"/);
  });

  test('has a content security policy whose violations these tests detect', async () => {
    const { page, errors } = await open();
    expect(errors).toEqual([]);
    await page.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'body { color: red }';
      document.head.append(style);
      document.body.setAttribute('onclick', 'window.hacked = 1');
      document.body.click();
      document.body.removeAttribute('onclick');
    });
    await expect.poll(() => errors.length).toBe(2);
    errors.length = 0;
  });

  test('has no animations with reduced motion', async () => {
    const { page } = await open(undefined, { reducedMotion: 'reduce' });
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const moving = await page.evaluate(
      () => document.getAnimations().filter((each) => each.playState === 'running').length,
    );
    expect(moving).toBe(0);
  });
});
