import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { launchChromium } from '../renderer-shell/testing/launch-chromium.ts';
import { api } from '../service/contract/index.ts';
import { installSample } from '../service/testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../service/testing/test-host.ts';

const id = 'com.example.word-list';
const patience = { timeout: 60_000 };

let host: TestHost;
let browser: Browser;
let page: Page;
let frame: FrameLocator;
let folder: string;
let directory: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-development-'));
  directory = join(folder, 'word-list');
  host = await startTestHost({
    resources: { shell: join(import.meta.dirname, '..', 'dist', 'renderer-shell') },
    sandboxPath: process.env['PATH'] ?? '',
  });
  browser = await launchChromium();
  page = await browser.newPage({ locale: 'en' });
  page.setDefaultTimeout(patience.timeout);
  await page.goto(`${host.baseUrl}/`);
  await page.getByLabel('Token').fill(host.token);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('navigation').waitFor();
  frame = page.frameLocator('iframe[title="Word list page"]');
});
test.afterAll(async () => {
  await browser.close();
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

const section = () => page.getByRole('region', { name: 'Development' });
const row = () => section().getByRole('listitem', { name: directory });
const overlay = () => frame.getByRole('alert', { name: 'Errors in this page' });
const home = () => page.goto(`${host.baseUrl}/#/plugins`);
const open = (pluginId: string) => page.goto(`${host.baseUrl}/#/plugins/${pluginId}`);

const script = (): string => join(directory, 'ui', 'main.js');
async function addToPage(text: string): Promise<void> {
  await writeFile(script(), `${text}\n${await readFile(script(), 'utf8')}`);
}

test('a plugin is created and loaded from the page, in developer mode only', async () => {
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await expect(section()).toHaveCount(0);
  await page.goto(`${host.baseUrl}/#/settings/plugins`);
  await page.getByRole('switch', { name: 'Developer mode' }).click({ force: true });
  await home();
  await section().getByText('No folders are loaded.').waitFor();
  await section().getByRole('button', { name: 'New plugin…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New plugin' });
  await dialog.getByLabel('Name').fill('Word list');
  await expect(dialog.getByLabel('ID')).toHaveValue(id);
  await dialog.getByLabel('Folder').fill(folder);
  await dialog.getByLabel('ID').fill('host.words');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('reserved for official plugins').waitFor();
  await dialog.getByLabel('ID').fill(id);
  await dialog.getByLabel('Folder').fill(directory);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await row().getByText('Up to date').waitFor();
  const icon = page.locator('.home-card', { hasText: 'Word list' }).locator('img.plugin-icon');
  const drawnWidth = () => icon.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(drawnWidth).toBeGreaterThan(0);
  await row().getByRole('button', { name: 'Open' }).click();
  await frame.getByRole('heading', { name: 'Word list' }).waitFor();
});

test('an error in its page is shown there with its location until it is dismissed', async () => {
  await expect(overlay()).toHaveCount(0);
  await addToPage("setTimeout(() => { throw new Error('the page is broken'); });");
  await overlay().getByText('ui/main.js:1:').waitFor();
  await overlay().getByText('Error: the page is broken').waitFor();
  await overlay().getByRole('button', { name: 'Dismiss' }).click();
  await expect(overlay()).toHaveCount(0);
});

test('an error in a script at the start of the page has its location too', async () => {
  await writeFile(script(), "throw new Error('at the start');\n");
  await overlay().getByText('ui/main.js:1:').waitFor();
  await overlay().getByText('Error: at the start').waitFor();
});

test('an error in a page and a worker in TypeScript has its place in what was written', async () => {
  const typed = join(folder, 'typed');
  const typedId = 'com.example.typed';
  const params = { id: typedId };
  const body = { directory: typed, id: typedId, name: 'Typed', runtime: 'typescript' } as const;
  await host.client.call(api.unpacked.make, { body });
  const loaded = async () =>
    (await host.client.call(api.unpacked.list)).find(({ directory: one }) => one === typed);
  await expect.poll(async () => (await loaded())?.state, patience).toBe('watching');
  const worker = join(typed, 'backend', 'worker.ts');
  const written = await readFile(worker, 'utf8');
  const failing = written.replace("('orders', () =>", "('orders', () => fails() ??");
  expect(failing).not.toBe(written);
  const lines = failing.split('\n').length;
  await writeFile(
    worker,
    `${failing}function fails(): null { throw new Error('in the worker'); }\n`,
  );
  const main = join(typed, 'ui', 'main.ts');
  await writeFile(
    main,
    `${await readFile(main, 'utf8')}\ninterface Nothing { a: string }\nconst nobody = async (): Promise<Nothing> => { throw new Error('nobody waits'); };\nvoid nobody();\n`,
  );
  const count = (await readFile(main, 'utf8')).split('\n').length;
  await open(typedId);
  await page.reload();
  const typedFrame = page.frameLocator('iframe[title="Typed page"]');
  await typedFrame
    .getByRole('alert')
    .getByText(`ui/main.ts:${String(count - 2)}:`)
    .waitFor();
  const orders = async (): Promise<string> => {
    const call = { callId: crypto.randomUUID(), method: 'orders' };
    await host.client.call(api.plugins.invoke, { params, body: call }).catch(() => undefined);
    return JSON.stringify(await host.client.call(api.plugins.errors, { params }));
  };
  await expect
    .poll(orders, patience)
    .toContain(`"place":{"file":"backend/worker.ts","line":${String(lines)},`);
  const { key = '' } = (await loaded()) ?? {};
  await host.client.call(api.unpacked.unload, { params: { key } });
  await open(id);
});

test('the details of the plugin list its errors, newest first, until they are cleared', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'About this plugin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Word list' });
  await dialog.getByRole('tab', { name: /^Errors \([1-9]/ }).click();
  const errors = dialog.getByRole('list', { name: 'Errors' }).getByRole('listitem');
  await expect(errors.first()).toContainText('Error: at the start');
  await expect(errors.first()).toContainText('Page');
  await expect(errors.first()).toContainText('ui/main.js:1:');
  await expect(errors.filter({ hasText: 'the page is broken' })).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByText('No errors.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
});

test('a refused change is reported with file and line; unloading keeps the folder', async () => {
  const manifest = join(directory, 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace('"version": "0.1.0"', '"version": "one"'));
  await home();
  await row().getByText('Change refused').waitFor();
  await row().getByText('manifest.json:5:').waitFor();
  await row().getByText('Version 0.1.0 stays installed.').waitFor();
  await row().getByRole('button', { name: 'Unload' }).click();
  await section().getByText('No folders are loaded.').waitFor();
  await expect(page.getByRole('button', { name: 'Open Word list' })).toHaveCount(0);
  await writeFile(manifest, text);
  await section().getByRole('button', { name: 'Load folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load a folder' });
  await dialog.getByLabel('Folder').fill(folder);
  await dialog.getByRole('button', { name: 'Load' }).click();
  await dialog.getByText('contains no manifest.json').waitFor();
  await dialog.getByLabel('Folder').fill(directory);
  await dialog.getByRole('button', { name: 'Load' }).click();
  await row().getByText('Up to date').waitFor();
});

test('a plugin that was installed from a package shows no errors in its page, nor any without developer mode', async () => {
  await installSample(host, {
    manifest: { id: 'acme.installed', name: 'Installed' },
    files: {
      'ui/index.html':
        '<!doctype html><title>p</title><script src="_host/plugin-client.js"></script><script src="main.js"></script>',
      'ui/main.js': "throw new Error('installed and broken');",
    },
  });
  const messagesOf = async (pluginId: string): Promise<string> =>
    JSON.stringify(await host.client.call(api.plugins.errors, { params: { id: pluginId } }));
  await open('acme.installed');
  await page.reload();
  await expect.poll(() => messagesOf('acme.installed'), patience).toContain('installed and broken');
  const installed = page.frameLocator('iframe[title="Installed page"]');
  await expect(installed.locator('plugin-error-overlay')).toHaveCount(0);

  await host.client.call(api.settings.put, { body: { developerMode: false } });
  await host.client.call(api.plugins.clearErrors, { params: { id } });
  await open(id);
  await page.reload();
  await expect.poll(() => messagesOf(id), patience).toContain('at the start');
  await expect(frame.locator('plugin-error-overlay')).toHaveCount(0);
  await home();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await expect(section()).toHaveCount(0);
});
