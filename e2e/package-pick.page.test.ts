import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { examplePackage, packExample } from './example-package.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage } = hostPages();

test('a chosen package is inspected first, with warnings about downgrades and reinstallation [MARKET-28]', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  const { id } = examplePackage;
  const dialog = page.getByRole('dialog', { name: 'Install plugin' });
  const held = async (): Promise<string | undefined> =>
    (await client.call(api.market.list)).find((one) => one.id === id)?.installedVersion ??
    undefined;
  const pick = async (version: string): Promise<void> => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Install from file' }).first().click();
    const buffer = Buffer.from(await (await packExample({ version })).arrayBuffer());
    const file = { name: 'sample.plugin', mimeType: 'application/zip', buffer };
    await (await choosing).setFiles([file]);
    await dialog.getByText(id).waitFor();
  };
  await page.goto(await host.value('HOST_URL'));

  await pick('2.0.0');
  expect(await dialog.getByRole('note').count()).toBe(0);
  expect(await held()).toBeUndefined();
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Sample plugin' }).waitFor();
  expect(await held()).toBe('2.0.0');

  await pick('2.0.0');
  const warning = dialog.locator('.note[data-tone="warn"]');
  await warning.getByText('Version 2.0.0 is already installed.').waitFor();
  await dialog.getByRole('button', { name: 'Reinstall' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await pick('1.0.0');
  await warning.getByText('Version 2.0.0 is installed, which is newer than 1.0.0.').waitFor();
  expect(await held()).toBe('2.0.0');
  await dialog.getByRole('button', { name: 'Downgrade to 1.0.0' }).click();
  await expect.poll(held).toBe('1.0.0');
});
