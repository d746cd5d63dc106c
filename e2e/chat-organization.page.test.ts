import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages();
const openChat = chatPages(pages);

test('conversations are pinned, filed, archived and found, each with its own model and instructions', async () => {
  const { page, client, model, send, script } = await openChat();
  const provider = { name: 'Second', protocol: 'openai' as const, baseUrl: model.baseUrl };
  const { id } = await client.call(api.providers.create, {
    body: { ...provider, apiKey: 'k', models: ['second-small', 'second-large'] },
  });
  script({ text: ['Here it is.'] });
  model.title = () => ({ text: ['Sums of pears'] });

  await page.getByRole('button', { name: /^Choose a model/ }).click();
  await page.getByRole('menuitemradio', { name: 'second-small' }).waitFor();
  await page.getByRole('textbox', { name: 'Search models' }).fill('second large');
  await expect.poll(() => page.getByRole('menuitemradio').count()).toBe(1);
  await page.getByRole('menuitemradio', { name: 'second-large' }).click();
  await page.getByRole('button', { name: 'Choose a model, currently second-large' }).waitFor();

  const menu = page.getByRole('button', { name: 'More actions' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Settings of this conversation' }).click();
  await page.getByRole('textbox', { name: 'System prompt' }).fill('Answer like a pirate.');
  await page.getByRole('textbox', { name: 'Temperature' }).fill('0.4');
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await send('How many pears?');
  await page.getByText('Here it is.').waitFor();
  expect(JSON.stringify(model.requests[0]?.messages[0])).toContain('Answer like a pirate.');
  expect(model.requests[0]).toMatchObject({ model: 'second-large', temperature: 0.4 });
  const list = page.getByRole('complementary', { name: 'Chat' });
  await list.getByText('Sums of pears').waitFor();
  const [stored] = await client.call(api.conversations.list, { query: {} });
  const params = { id: stored?.id ?? '' };
  expect(await client.call(api.conversations.show, { params })).toMatchObject({
    model: { provider: id, name: 'second-large' },
    systemPrompt: 'Answer like a pirate.',
    temperature: 0.4,
  });

  await menu.click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await list.getByLabel('Pinned').waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Move to folder' }).click();
  await page.getByRole('dialog').getByLabel('Folder', { exact: true }).fill('Fruit');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const filter = list.getByRole('combobox', { name: 'Filter conversations' });
  await filter.selectOption('Fruit');
  await list.getByText('Sums of pears').waitFor();

  await menu.click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await list.getByText('Sums of pears').waitFor({ state: 'detached' });
  await filter.selectOption('Archive');
  await list.getByText('Sums of pears').waitFor();
  expect(await seriousViolations(page)).toEqual([]);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Type a command or plugin name' }).fill('pears');
  await page.getByRole('option', { name: 'Open conversation Sums of pears' }).waitFor();
});

test('a prompt from the library asks for its placeholders, and usage has a price', async () => {
  const { page, client, model, send, script } = await openChat();
  script({ text: ['Bonjour.'], usage: { prompt_tokens: 2_000_000, completion_tokens: 1_000_000 } });
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), path);

  await goTo('/settings/prompts');
  await page.getByRole('button', { name: 'Add prompt' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('translate');
  await page
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Into {{language}}: {{text}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('/translate').waitFor();

  await goTo('/chat');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('/tra');
  await page.getByRole('option', { name: /translate/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'language' }).fill('French');
  await page.getByRole('textbox', { name: 'text' }).fill('Hello');
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Insert' }).click();
  await expect.poll(() => message.inputValue()).toBe('Into French: Hello');
  await send('Into French: Hello');
  await page.getByText('Bonjour.').waitFor();
  expect(model.requests).toHaveLength(1);
  await page.getByText('2,000,000 input tokens, 1,000,000 output tokens').waitFor();
  const answered = await page.evaluate(() => location.hash.slice(1));

  await goTo('/settings/usage');
  await page.getByRole('figure', { name: 'Tokens per month' }).waitFor();
  await page.getByRole('textbox', { name: 'Input of test-model', exact: true }).fill('2');
  await page.getByRole('textbox', { name: 'Output of test-model', exact: true }).fill('6');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('cell', { name: '10.00 USD' }).first().waitFor();
  expect(await client.call(api.usage.prices)).toEqual({
    currency: 'USD',
    models: { 'test-model': { input: 2, output: 6 } },
  });
  expect(await seriousViolations(page)).toEqual([]);
  await goTo(answered);
  await page.reload();
  await page.getByText('1,000,000 output tokens · 10.00 USD').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
});

test('a provider is added from a preset, and the configuration of another program is imported after a preview', async () => {
  const { page, client } = await openChat();
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), path);
  await goTo('/settings/models');
  await page.getByRole('combobox', { name: 'Add provider' }).selectOption('DeepSeek');
  const form = page.getByRole('form', { name: 'Provider' });
  await form.getByRole('textbox', { name: 'API key' }).fill('sk-typed-0123456789');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('https://api.deepseek.com/v1').waitFor();
  expect(await client.call(api.providers.list)).toMatchObject([
    { name: 'DeepSeek', models: ['deepseek-chat', 'deepseek-reasoner'], apiKey: 'sk-t***6789' },
  ]);

  await goTo('/settings/import');
  await page.getByRole('combobox', { name: 'Program' }).selectOption('Claude Code');
  const document = {
    mcpServers: { notes: { command: '/absent/notes', env: { NOTES_TOKEN: 'secret' } } },
    env: { ANTHROPIC_API_KEY: 'sk-ant-0123456789' },
  };
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = Buffer.from(JSON.stringify(document));
  await (await chooser).setFiles({ name: '.claude.json', mimeType: 'application/json', buffer });
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('2 items to import').waitFor();
  await preview.getByText('notes is imported without its keys: NOTES_TOKEN').waitFor();
  expect(await client.call(api.mcp.list)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Include keys' }).check();
  await preview.getByText('with key').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import', exact: true }).last().click();
  await preview.getByText('2 items imported').waitFor();
  expect(await client.call(api.mcp.list)).toMatchObject([{ envKeys: ['NOTES_TOKEN'] }]);
  expect((await client.call(api.providers.list)).map(({ name }) => name)).toContain('Claude Code');
});
