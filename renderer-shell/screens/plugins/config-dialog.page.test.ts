import { expect, test } from '@playwright/test';
import { choosePackage } from '../../testing/choose-package.ts';
import { addPlugin, makeInspection } from '../../testing/fake-host.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

const id = 'com.example.words';
const userConfig = {
  unit: { type: 'string', title: 'Unit', default: 'km' },
  limit: { type: 'number', title: 'Limit' },
  key: { type: 'string', title: 'API key', required: true, sensitive: true },
} as const;

test('required settings of a plugin are requested once it is installed', async () => {
  const { page, service } = await open((host) => {
    host.packages.set('words.plugin', makeInspection());
    host.requiredSettings.set(id, { userConfig, missingConfig: ['key'] });
    host.configs.set(id, { values: { unit: 'km' }, missing: ['key'] });
  });
  await choosePackage(page, 'words.plugin');
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Words settings' });
  await expect.poll(() => dialog.getByLabel('Unit').inputValue()).toBe('km');
  const key = dialog.getByLabel('API key');
  await expect.poll(() => key.getAttribute('type')).toBe('password');
  await key.fill('a secret');
  await dialog.getByLabel('Limit').fill('3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(service.host.configs.get(id)?.values).toEqual({ unit: 'km', limit: 3, key: 'a secret' });
});

test('missing settings are listed above the page, and settings can be changed and cleared later', async () => {
  const { page, service } = await open((host) => {
    addPlugin(host, id, { name: 'Words', userConfig, missingConfig: ['key'] });
    host.configs.set(id, { values: { unit: 'mi' }, missing: ['key'] });
  });
  await page.getByRole('button', { name: /^Words/ }).click();
  await page.getByText('Enter a value for API key to use this plugin.').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Settings…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Words settings' });
  await dialog.getByLabel('Unit').fill('');
  await dialog.getByLabel('API key').fill('another');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(service.host.configs.get(id)?.values).toEqual({ unit: null, key: 'another' });
  await page.getByRole('alert').waitFor({ state: 'detached' });
});
