import { expect, test } from '@playwright/test';
import { addPlugin, makeLog } from '../../testing/fake-host.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

const wordsId = 'com.example.words';
const other = 'com.example.other';

test('an open page reloads if its plugin was replaced while the stream was closed', async () => {
  const { page, service } = await open((host) => {
    const installedAt = '2026-01-01T10:00:00.000Z';
    addPlugin(host, wordsId, { name: 'Words', installedAt, page: '<h1>The first copy</h1>' });
    addPlugin(host, other, { name: 'Other', installedAt, page: '<input aria-label="Note">' });
  });
  await page.getByRole('button', { name: /^Other/ }).click();
  await page.frameLocator('iframe[title="Other page"]').getByLabel('Note').fill('typed');
  await page.getByRole('button', { name: /^Words/ }).click();
  const frame = page.frameLocator('iframe[title="Words page"]');
  await frame.getByRole('heading', { name: 'The first copy' }).waitFor();
  await expect.poll(() => service.listeners('notifications')).toBe(1);

  const installedAt = '2026-01-01T10:00:01.000Z';
  addPlugin(service.host, wordsId, {
    name: 'Words',
    installedAt,
    page: '<h1>The second copy</h1>',
  });
  service.dropStreams();
  await frame.getByRole('heading', { name: 'The second copy' }).waitFor();
  await page.getByRole('button', { name: /^Other/ }).click();
  const noteField = page.frameLocator('iframe[title="Other page"]').getByLabel('Note');
  expect(await noteField.inputValue()).toBe('typed');
});

test.describe('the list', () => {
  test('finds plugins by typing and moves with the arrow keys', async () => {
    const { page } = await open((host) => {
      addPlugin(host, wordsId, { name: 'Words' });
      addPlugin(host, 'com.example.charts', { name: 'Charts', enabled: false });
    });
    await page.getByRole('button', { name: /^Charts.*Disabled/ }).waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('wor');
    await page.getByRole('button', { name: /^Charts/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });

  test('disables and enables, and hides the page in between', async () => {
    const { page, service } = await open(
      (host) => void addPlugin(host, wordsId, { name: 'Words' }),
    );
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.locator('iframe').waitFor();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Words is disabled.').waitFor();
    expect(service.host.plugins.get(wordsId)?.enabled).toBe(false);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Enable' }).last().click();
    await page.frameLocator('iframe').getByText(wordsId).waitFor();
  });

  test('explains why a plugin cannot work and offers a solution', async () => {
    const { page } = await open((host) => {
      addPlugin(host, wordsId, { state: 'quarantined', stateReason: 'It crashed three times.' });
    });
    await page.getByRole('button', { name: '1 plugin needs attention' }).click();
    await page.getByText('It crashed three times.').waitFor();
    await page.getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('It crashed three times.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1 of 1 plugins enabled' }).waitFor();
  });

  test('shows one sentence about a crash, and the rest as details', async () => {
    const stack = 'The worker ended.\nTypeError: no words\n    at read (worker.mjs:3:1)';
    const { page } = await open((host) => {
      addPlugin(host, wordsId, { state: 'quarantined', stateReason: stack });
    });
    await page.getByRole('button', { name: '1 plugin needs attention' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The worker ended.', { exact: true }).waitFor();
    await expect(alert.getByText('TypeError: no words')).toBeHidden();
    await alert.getByText('Details', { exact: true }).click();
    await alert.getByText('TypeError: no words').waitFor();
    await alert.getByRole('button', { name: 'Copy' }).waitFor();
  });

  test('shows the size of the data that is removed with a plugin', async () => {
    const { page, service } = await open((host) => {
      addPlugin(host, wordsId, { name: 'Words' });
      host.dataSizeBytes.set(wordsId, 12_400_000);
    });
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Uninstall…' }).click();
    await page.getByRole('button', { name: 'Uninstall and keep data' }).waitFor();
    const request = page.waitForRequest((each) => each.method() === 'DELETE');
    await page.getByRole('button', { name: 'Uninstall and delete 12 MB of data' }).click();
    expect((await request).url()).toContain('deleteData=true');
    await expect.poll(() => service.host.plugins.size).toBe(0);
    await page.getByText('Plugins add pages and tools').first().waitFor();
  });
});

test.describe('the log', () => {
  test('shows earlier and new entries, and hides lower levels', async () => {
    const { page, service } = await open((host) => {
      addPlugin(host, wordsId, { name: 'Words' });
      host.logs.set(wordsId, [makeLog(1, { message: 'It was here before' })]);
    });
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByText('It was here before').waitFor();
    service.send(
      `logs:${wordsId}`,
      'log',
      makeLog(2, { message: 'Fresh', level: 'ERROR', logger: null }),
    );
    await page.getByText('Fresh').waitFor();
    await page.getByRole('combobox', { name: 'Minimum level' }).click();
    await page.getByRole('option', { name: 'Errors only' }).click();
    await page.getByText('It was here before').waitFor({ state: 'detached' });
    await page.getByText('Fresh').waitFor();
  });

  test('reconnects without duplicate entries', async () => {
    const { page, service } = await open((host) => {
      addPlugin(host, wordsId, { name: 'Words' });
      host.logs.set(wordsId, [makeLog(1, { message: 'Only once' })]);
    });
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByText('Only once').waitFor();
    service.dropStreams();
    service.host.logs.get(wordsId)?.push(makeLog(2, { message: 'While it was away' }));
    await page.getByText('While it was away').waitFor();
    expect(await page.getByText('Only once').count()).toBe(1);
    await page.getByRole('button', { name: 'Close log' }).click();
    await expect.poll(() => service.listeners(`logs:${wordsId}`)).toBe(0);
  });
});
