import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { launchChromium } from '../renderer-shell/testing/launch-chromium.ts';
import { api } from '../service/contract/index.ts';
import { installSample } from '../service/testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../service/testing/test-host.ts';

const id = 'acme.author';
const script = `
const out = document.querySelector('output');
PluginClient.ready().then(async () => {
  const seen = [];
  const result = await PluginClient.invoke('progress', {}, {
    onProgress: ({ percent, message }) => seen.push(percent + ' ' + message),
  });
  out.textContent = seen.join() + ': ' + result;
  Promise.reject(new Error('nobody caught this'));
  setTimeout(() => { throw new Error('thrown in the page'); });
});
`;
const pageOf = (title: string): string => `<!doctype html><title>p</title><h1>${title}</h1>
<script>document.title = 'inline';</script>
<output></output><script src="_host/plugin-client.js"></script><script src="main.js"></script>`;

const install = (title: string, version = '1.0.0') =>
  installSample(host, {
    manifest: { id, name: 'Author', version },
    files: { 'ui/index.html': pageOf(title), 'ui/main.js': script },
  });

let host: TestHost;
let browser: Browser;
let page: Page;
let frame: FrameLocator;
test.beforeAll(async () => {
  host = await startTestHost({
    resources: { shell: join(import.meta.dirname, '..', 'dist', 'renderer-shell') },
  });
  await install('The first page');
  browser = await launchChromium();
  page = await browser.newPage({ locale: 'en' });
  await page.goto(`${host.baseUrl}/`);
  await page.getByLabel('Token').fill(host.token);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('navigation').waitFor();
  await page.goto(`${host.baseUrl}/#/plugins/${id}`);
  frame = page.frameLocator('iframe[title="Author page"]');
  await frame.getByRole('heading', { name: 'The first page' }).waitFor();
});
test.afterAll(async () => {
  await browser.close();
  await host.close();
});

test('the progress of a call reaches the page that made it', async () => {
  await expect.poll(() => frame.locator('output').textContent()).toBe('40 half: done');
});

test('uncaught errors in a page, and violations of its policy, are in the log of the plugin', async () => {
  const ofPage = async (): Promise<string[]> =>
    (await host.client.call(api.plugins.logs, { params: { id } }))
      .filter(({ logger }) => logger === 'page')
      .map(({ level, message }) => `${level} ${message}`);
  await expect
    .poll(ofPage, { timeout: 10_000 })
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^WARN The page policy blocked inline by script-src/),
        expect.stringMatching(/^ERROR A promise was rejected .*nobody caught this/),
        expect.stringMatching(/^ERROR Error: thrown in the page\n.*main\.js/),
      ]),
    );
});

test('an open page is reloaded when its plugin is replaced, even by the same version', async () => {
  await install('The second page');
  await frame.getByRole('heading', { name: 'The second page' }).waitFor();
  await install('The third page', '1.0.1');
  await frame.getByRole('heading', { name: 'The third page' }).waitFor();
});
