import { expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { startModelServer } from '../service/testing/model-server.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages();

async function openSettings() {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  return { page, client: await host.client() };
}

it('a model is tried before it is stored, its key is never shown again, and the chat can begin', async () => {
  const model = await startModelServer();
  try {
    const { page, client } = await openSettings();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.getByText('No model is set up').waitFor();
    await page.getByRole('button', { name: 'Set up a model' }).click();
    const section = page.getByRole('region', { name: 'Model', exact: true });
    await section.getByRole('combobox', { name: 'Backend' }).click();
    await page.getByRole('option', { name: 'Another server that speaks like OpenAI' }).click();
    await section.getByLabel('Address').fill('http://127.0.0.1:9');
    await section.getByLabel('API key').fill('a-secret-key-of-the-test');
    await section.getByRole('combobox', { name: 'Model' }).fill('test-model');
    await section.getByRole('button', { name: 'Test' }).click();
    await section.getByText('It does not work').waitFor();
    await section.getByLabel('Address').fill(model.baseUrl);
    await section.getByRole('button', { name: 'Test' }).click();
    await section.getByText('It answers').waitFor();
    await picture('settings-model');
    expect(await client.call(api.aiConfig.get)).toMatchObject({ cloud_c: { model: '' } });
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Saved').waitFor();
    expect(await client.call(api.aiConfig.get)).toMatchObject({
      ready: true,
      cloud_c: { model: 'test-model', baseUrl: model.baseUrl },
    });
    await page.reload();
    await page.getByRole('button', { name: 'Model: test-model' }).waitFor();
    expect(await section.getByLabel('API key').inputValue()).toContain('***');
    expect(await page.content()).not.toContain('a-secret-key-of-the-test');
  } finally {
    await model.close();
  }
});

it('rules are tried before they are stored, and lines that are none are named', async () => {
  const { page, client } = await openSettings();
  await page.getByRole('button', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'What models may do' });
  const tester = section.getByRole('form', { name: 'Try a call' });
  await tester.getByLabel('Command').fill('npm run build');
  await tester.getByRole('button', { name: 'What would happen?' }).click();
  await tester.getByText('It would ask').waitFor();
  await section.getByLabel('Allow', { exact: true }).fill('Command(npm run:*)\nCommand(npm');
  await tester.getByRole('button', { name: 'What would happen?' }).click();
  await tester.getByText('It would run').waitFor();
  await tester.getByText('Allow, line 2:').waitFor();
  await section.getByLabel('Never', { exact: true }).fill('Command(npm:*)');
  await tester.getByRole('button', { name: 'What would happen?' }).click();
  await tester.getByText('It would be refused').waitFor();
  await picture('settings-rules');
  expect((await client.call(api.settings.get)).permissionRules.deny).toBe('');
  await section.getByLabel('Allow', { exact: true }).fill('Command(npm run:*)');
  await section.getByRole('button', { name: 'Save rules' }).click();
  await expect
    .poll(async () => (await client.call(api.settings.get)).permissionRules)
    .toEqual({ deny: 'Command(npm:*)', ask: '', allow: 'Command(npm run:*)' });
});
