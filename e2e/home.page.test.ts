import { readFile, stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([400]);
const { picture } = pages;

async function openHome(): Promise<{ page: Page; client: Client }> {
  const page = pages.page();
  const host = await pages.hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return { page, client };
}

const install = async (client: Client, name: string, category: string): Promise<string> => {
  const id = `com.example.${name.toLowerCase()}`;
  const manifest = { id, name, category, description: `What ${name} is for.` };
  await upload({ client }, await packPlugin({ manifest }));
  return id;
};

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cardOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name: `Open ${name}`, exact: true });

test('the home shows the plugins by category, searches them, and opens and closes them', async () => {
  const { page, client } = await openHome();
  await install(client, 'Clock', 'productivity');
  const charts = await install(client, 'Charts', 'data');
  await install(client, 'Odd', 'my own');
  const params = { id: charts };
  await client.call(api.market.setEnabled, { params, body: { enabled: false } });
  await page.reload();
  await section(page, 'Productivity').getByRole('button', { name: 'Open Clock' }).waitFor();
  await section(page, 'Data').getByText('Disabled').waitFor();
  await section(page, 'my own').getByRole('button', { name: 'Open Odd' }).waitFor();
  await section(page, 'Developer tools').getByRole('button', { name: 'Open JSON tools' }).waitFor();
  await picture('home-light');

  await page.getByRole('textbox', { name: 'Search plugins' }).fill('what clock');
  await cardOf(page, 'JSON tools').waitFor({ state: 'detached' });
  expect(await cardOf(page, 'Clock').count()).toBe(1);
  await page.getByRole('textbox', { name: 'Search plugins' }).fill('nothing like it');
  await page.getByRole('main').getByText('No plugins match “nothing like it”.').waitFor();
  await page.getByRole('textbox', { name: 'Search plugins' }).fill('');

  await cardOf(page, 'Charts').click();
  await page.getByText('Charts is disabled.').waitFor();
  await page.getByRole('navigation').getByRole('button', { name: 'Plugins', exact: true }).click();
  await cardOf(page, 'Clock').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
});

test('a new user is guided to a model, the store and workflows until a model is set up', async () => {
  const { page, client } = await openHome();
  const steps = section(page, 'Get started');
  await steps.getByRole('button', { name: /^Set up a model/ }).click();
  await page.getByRole('region', { name: 'Model', exact: true }).waitFor();
  await page.goBack();
  await steps.getByRole('button', { name: /^Add a plugin/ }).click();
  await page.getByRole('heading', { level: 1, name: 'All plugins' }).waitFor();
  await page.goBack();
  await steps.getByRole('button', { name: /^Build a workflow/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Build a workflow' }).waitFor();
  await page.goBack();
  expect(await steps.getByRole('button', { name: /Switch language/ }).count()).toBe(0);
  const cloud = { apiKey: 'key-of-the-test', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' };
  await client.call(api.aiConfig.put, { body: { activeMode: 'cloud_c', cloud_c: cloud } });
  await page.reload();
  await section(page, 'Developer tools').waitFor();
  await page.getByRole('button', { name: 'Model: m' }).waitFor();
  expect(await steps.count()).toBe(0);
});

test('the home has no serious accessibility violations, in both themes and narrow', async () => {
  const { page, client } = await openHome();
  for (const theme of ['dark', 'light'] as const) {
    await client.call(api.settings.put, { body: { theme } });
    await page.reload();
    await section(page, 'Get started').waitFor();
    expect([theme, await seriousViolations(page)]).toEqual([theme, []]);
    await picture(`home-${theme}-begin`);
  }
  await page.setViewportSize({ width: 480, height: 800 });
  await cardOf(page, 'JSON tools').waitFor();
  await picture('home-narrow');
  const sideways = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  expect(await sideways()).toBe(0);
  await page.getByRole('button', { name: 'Show the list' }).click();
  await page.getByRole('textbox', { name: 'Search plugins' }).waitFor();
});

test('the provider of web search is stored, and its key is never shown again', async () => {
  const { page, client } = await openHome();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: /^Web search/ }).click();
  const web = section(page, 'Web search');
  await web.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option', { name: /Brave/ }).click();
  await web.getByLabel('API key', { exact: true }).fill('a-search-key-of-the-test');
  await web.getByRole('textbox', { name: 'Address' }).fill('not an address');
  await web.getByRole('button', { name: 'Save' }).click();
  await web.getByRole('alert').waitFor();
  expect(await client.call(api.settings.get)).toMatchObject({ webSearch: { provider: 'none' } });
  await web.getByRole('textbox', { name: 'Address' }).fill('');
  await web.getByRole('button', { name: 'Save' }).click();
  await web.getByText('Saved', { exact: true }).waitFor();
  expect(await client.call(api.settings.get)).toMatchObject({ webSearch: { provider: 'brave' } });
  await page.reload();
  await expect.poll(() => web.getByLabel('API key', { exact: true }).inputValue()).toContain('***');
  expect(await page.content()).not.toContain('a-search-key-of-the-test');
  await picture('settings-web');
});

test('a backup is saved from the settings, as one zip', async () => {
  const { page } = await openHome();
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: /^Database and backup/ }).click();
  const data = section(page, 'Database and backup');
  await data.getByText(/^SQLITE, 3\./).waitFor();
  await data.getByText('No snapshots yet.').waitFor();
  const downloading = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Save a backup…' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^host-backup-\d{4}-\d\d-\d\d\.zip$/);
  const file = await download.path();
  await data.getByText('Backup saved.').waitFor();
  expect((await stat(file)).size).toBeGreaterThan(1_000);
  expect((await readFile(file)).subarray(0, 2).toString('latin1')).toBe('PK');
  await picture('settings-backup');
});
