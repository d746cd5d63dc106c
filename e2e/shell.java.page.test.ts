import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { examplePackage, packExample } from './example-package.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages();

test('the built host shows its shell, and the Java sample counts a text in its sandboxed page [BRIDGE-01, BRIDGE-02]', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
  expect(page.url()).not.toContain('ticket');
  await page.getByRole('button', { name: /^Words/ }).click();
  await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();

  const title = 'Words page';
  const element = page.locator(`iframe[title="${title}"]`);
  expect(await element.getAttribute('sandbox')).toBe('allow-scripts');
  const frame = page.frameLocator(`iframe[title="${title}"]`);
  expect(await frame.locator('body').evaluate(() => self.origin)).toBe('null');
  await frame.getByLabel('Text', { exact: true }).fill('The quick brown fox. It jumps!');
  await frame.getByRole('button', { name: 'Run' }).click();
  const result = frame.getByRole('tabpanel', { name: 'Result' });
  await result.getByText('Sentences').waitFor();
  const counted = await result.locator('dl > div').allInnerTexts();
  expect(counted.map((text) => text.split(/\s*\n\s*/))).toEqual(
    expect.arrayContaining([
      ['Words', '6'],
      ['Sentences', '2'],
      ['Characters', '30'],
    ]),
  );
  await page.getByText('Running').first().waitFor();
  await picture('shell');
});

test('a new host is set up in the page, and a package is installed and removed with its data [SETUP-11]', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('heading', { name: 'Set up the database' }).waitFor();
  await page.getByRole('radio', { name: 'SQLite' }).click();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText(/^Connection successful/).waitFor();
  const client = await host.client();
  expect((await client.call(api.setup.status)).initialized).toBe(false);
  await page.getByRole('button', { name: 'Finish setup' }).click();
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();

  const file = join(await hosts.makeFolder(), 'sample.plugin');
  await writeFile(file, Buffer.from(await (await packExample()).arrayBuffer()));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Install from file' }).first().click();
  await (await chooser).setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Install plugin' });
  await dialog.getByText(examplePackage.id).waitFor();
  const inspection = await dialog.innerText();
  for (const text of [examplePackage.name, '1.0.0', 'SHA-256', 'Show notifications in the host'])
    expect(inspection).toContain(text);
  const isInstalled = async (): Promise<boolean> =>
    (await client.call(api.market.list)).some(({ id }) => id === examplePackage.id);
  expect(await isInstalled()).toBe(false);
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();

  const frame = page.frameLocator(`iframe[title="${examplePackage.name} page"]`);
  await frame.getByRole('heading', { name: 'Example page' }).waitFor();
  await frame.getByRole('button', { name: 'Keep something' }).click();
  await frame.getByText('kept', { exact: true }).waitFor();
  const dataOf = (): Promise<string[]> => readdir(join(host.workDirectory, '.host', 'plugin-data'));
  expect(await dataOf()).toContain(examplePackage.id);

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText(`${examplePackage.name} is disabled. Enable it to open its page.`).waitFor();
  const params = { id: examplePackage.id };
  await expect
    .poll(() => client.call(api.plugins.show, { params }))
    .toMatchObject({ enabled: false, state: 'stopped' });

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Uninstall…' }).click();
  await page.getByRole('button', { name: /^Uninstall and delete .* of data$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  expect(await isInstalled()).toBe(false);
  expect(await dataOf()).not.toContain(examplePackage.id);
  const installed = join(host.workDirectory, '.host', 'plugins');
  expect(await readdir(installed)).not.toContain(examplePackage.id);
});
