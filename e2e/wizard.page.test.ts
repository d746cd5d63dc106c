import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { hostPages } from './host-pages.ts';
import { loadTranslations } from './translations.ts';
import {
  chooseType,
  fillIn,
  completeWizard,
  reopenHost,
  openWizard,
  wizardArgs,
} from './wizard-steps.ts';

const pages = hostPages([400, 422]);
const { hosts, page, picture } = pages;

test('a host is set up on an SQLite file that is named in the wizard, and comes back with what it stored [SETUP-11, SETUP-19]', async () => {
  const host = await hosts.start({ args: wizardArgs });
  const { workDirectory } = host;
  await writeFile(
    join(workDirectory, 'letter.txt'),
    'Dear reader, this is no database. '.repeat(99),
  );
  const stored = await completeWizard(pages, host, {
    label: 'SQLite',
    name: 'sqlite',
    wrong: { 'Database file': 'letter.txt' },
    refusal: /^The file is not an SQLite database\.$/,
    right: { 'Database file': 'my data/office.db' },
    version: /^Version: 3\.\d+/,
  });
  expect(stored).toMatch(/^db\.type=SQLITE$/m);
  await access(join(workDirectory, 'my data', 'office.db'));
  await reopenHost(pages, workDirectory);
});

test('an incomplete form is not sent, and its errors are shown in its own words', async () => {
  const host = await hosts.start({ args: wizardArgs });
  await openWizard(page(), host);
  const sent: string[] = [];
  page().on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await chooseType(page(), 'PostgreSQL');
  const database = page().getByRole('textbox', { name: 'Database', exact: true });
  for (const name of ['Test connection', 'Finish setup']) {
    await page().getByRole('button', { name }).click();
    await expect.poll(() => database.evaluate((field) => field.matches(':focus'))).toBe(true);
    await page().getByRole('textbox', { name: 'Host', exact: true }).focus();
  }
  expect(sent).toEqual([]);

  await fillIn(page(), { Port: '99999', Database: 'host', Username: 'admin' });
  await page().getByRole('button', { name: 'Test connection' }).click();
  const alert = page().getByRole('alert');
  expect(await alert.innerText()).toBe('Port: must be from 1 to 65535');
  await fillIn(page(), { Port: '5432', Host: 'not a host' });
  await alert.waitFor({ state: 'detached' });
  await page().getByRole('button', { name: 'Test connection' }).click();
  expect(await alert.innerText()).toBe('Host: must be the name or the address of a host');
  const field = page().getByRole('textbox', { name: 'Host', exact: true });
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await database.getAttribute('aria-invalid')).not.toBe('true');
  await picture('wizard-wrong-field');

  await field.fill('127.0.0.1');
  await alert.waitFor({ state: 'detached' });
  expect(await field.getAttribute('aria-invalid')).not.toBe('true');
});

test('the forms of the databases are in the language of the page', async () => {
  await pages.renew('zh-CN');
  const t = await loadTranslations('zh-CN');
  const host = await hosts.start({ args: wizardArgs });
  await page().goto(await host.value('HOST_URL'));
  await page()
    .getByRole('textbox', { name: t('setup.field.filePath') })
    .waitFor();
  await chooseType(page(), 'PostgreSQL');
  for (const name of ['host', 'port', 'database', 'username', 'sslCa'])
    await page()
      .getByRole('textbox', { name: t(`setup.field.${name}`), exact: true })
      .waitFor();
  await page().getByLabel(t('setup.field.password'), { exact: true }).waitFor();
  await page()
    .getByRole('switch', { name: t('setup.field.ssl') })
    .waitFor();
  expect(await page().getByPlaceholder(t('setup.hint.sslCa')).count()).toBe(1);
  await picture('wizard-chinese');
  await page()
    .getByRole('button', { name: t('setup.test') })
    .click();
  const database = page().getByRole('textbox', { name: t('setup.field.database'), exact: true });
  await expect.poll(() => database.evaluate((field) => field.matches(':focus'))).toBe(true);
});
