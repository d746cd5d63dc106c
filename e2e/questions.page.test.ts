import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import { realServer } from '../service/testing/mcp/real-servers.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages();
const { picture } = pages;
const openChat = chatPages(pages);

test('a question of an MCP server during a call is answered by its form, or declined', async () => {
  const { page, client, model, send, script } = await openChat();
  await client.call(api.settings.put, { body: { permissionMode: 'full-access' } });
  const every = realServer('everything', [], { name: 'every' });
  await client.call(api.mcp.create, { body: every });
  const isConnected = async () => (await client.call(api.mcp.list))[0]?.state;
  await expect.poll(isConnected).toBe('CONNECTED');
  const asks = {
    toolCalls: [{ name: 'mcp__every__trigger-elicitation-request', arguments: '{}' }],
  };
  script(asks, { text: ['Thank you.'] });
  await send('Ask me');
  const form = page.getByRole('form', { name: 'every is asking for information' });
  await form.getByText('Please provide inputs').waitFor();
  expect(await form.getByLabel('Integer').inputValue()).toBe('42');
  expect(
    await form
      .getByRole('combobox', { name: 'Titled Single Select Enum', exact: true })
      .inputValue(),
  ).toBe('Superman');
  await form.getByText('Tuna', { exact: true }).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await picture('chat-question');
  await form.getByRole('textbox', { name: 'String', exact: true }).fill('A name');
  await form.getByRole('switch', { name: 'Boolean' }).click();
  await form.getByRole('combobox', { name: 'Legacy Titled Single Select Enum' }).click();
  await page.getByRole('option', { name: 'Birds' }).click();
  await form.getByRole('textbox', { name: 'String', exact: true }).press('Enter');
  await page.getByText('Thank you.').waitFor();
  const lastRequest = JSON.stringify(model.requests.at(-1));
  expect(lastRequest).toContain('Name: A name');
  expect(lastRequest).toContain('Agreed to terms: true');
  for (const part of ['pet-3', 'hero-1', 'fish-1', 'Guitar', '3.14'])
    expect(lastRequest).toContain(part);

  script(asks, { text: ['As you like.'] });
  await send('Once more');
  await form.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('As you like.').waitFor();
  expect(JSON.stringify(model.requests.at(-1))).toMatch(/declined/i);
});
