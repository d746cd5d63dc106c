import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import type { Client } from '../service/client/index.ts';
import type { McpDefinition } from '../service/contract/index.ts';
import { api } from '../service/contract/index.ts';
import { nodeServer, realServer } from '../service/testing/mcp/real-servers.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([422, 502]);
const openChat = chatPages(pages);
const program = join(import.meta.dirname, '..', 'service', 'testing', 'mcp', 'resource-server.mjs');

async function connect(client: Client, ...definitions: McpDefinition[]): Promise<void> {
  for (const body of definitions) await client.call(api.mcp.create, { body });
  await expect
    .poll(async () => (await client.call(api.mcp.status)).connected)
    .toBe(definitions.length);
}

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Add files' }).click();
  await page.getByRole('menuitem', { name: 'From an MCP server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'MCP resources' });
  const search = dialog.getByRole('combobox', { name: 'Search resources' });
  await search.waitFor();
  return { dialog, search, options: dialog.getByRole('option') };
}

const everything = realServer('everything', [], { name: 'everything' });

test.describe('a resource of an MCP server', () => {
  test('is chosen in the chat, sent with the message, and shown with it from then on', async () => {
    const { page, client, model, send, script } = await openChat();
    await connect(client, everything, nodeServer(program, [], { name: 'ours' }));
    script({ text: ['Seen.'] });
    const { dialog, search, options } = await openDialog(page);
    await dialog.getByRole('group', { name: 'everything' }).waitFor();
    await dialog.getByRole('group', { name: 'ours' }).waitFor();
    await search.fill('architecture');
    await expect.poll(() => options.count()).toBe(1);
    await options.click();
    const attached = page.getByRole('list', { name: 'Attachments to send' });
    await attached.getByText('architecture.md').waitFor();
    const message = page.getByRole('textbox', { name: 'Message' });
    await expect
      .poll(() => message.evaluate((element) => element === document.activeElement))
      .toBe(true);

    const second = await openDialog(page);
    await second.search.fill('pixel');
    await expect.poll(() => second.options.count()).toBe(1);
    await page.keyboard.press('Enter');
    await attached.getByText('pixel one').waitFor();
    await send('What are these?');
    await page.getByText('Seen.').waitFor();

    const went = page
      .getByRole('article', { name: 'You' })
      .getByRole('list', { name: 'Attachments' });
    const attachedNames = async () => {
      await went.getByText('architecture.md').waitFor();
      expect(await went.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/architecture\.md\s+everything/),
        expect.stringMatching(/pixel one\s+ours/),
      ]);
      await page.getByRole('img', { name: 'Image: pixel one' }).waitFor();
    };
    await attachedNames();
    await pages.picture('chat-resources');
    await page.reload();
    await attachedNames();
    expect(await attached.count()).toBe(0);
    const seen = JSON.stringify(model.requests[0]?.messages.at(-1));
    expect(seen).toContain('<untrusted-resource');
    expect(seen).toContain('Everything Server');

    script({ text: ['Again.'] });
    await send('And now?');
    await page.getByText('Again.').waitFor();
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Everything Server');

    const question = page.getByRole('article', { name: 'You' }).filter({ hasText: 'What are' });
    await question.hover();
    await question.getByRole('button', { name: 'Edit in a new branch' }).click();
    await attached.getByText('pixel one').waitFor();
    expect(await attached.getByRole('listitem').count()).toBe(2);
    expect(await message.inputValue()).toBe('What are these?');
  });

  test('is found with the keyboard alone, beside servers that cannot list theirs', async () => {
    const { page, client } = await openChat();
    const broken = nodeServer(program, ['fails'], { name: 'broken' });
    await connect(client, everything, broken);
    const missingServer = { ...everything, name: 'gone', command: '/not/there' };
    await client.call(api.mcp.create, { body: missingServer });
    const { dialog, options } = await openDialog(page);
    await dialog.getByRole('group', { name: 'broken' }).getByText('The shelf is broken.').waitFor();
    await dialog.getByRole('group', { name: 'gone' }).getByText('Not connected').waitFor();
    await options.first().waitFor();
    const chosen = dialog.getByRole('option', { selected: true });
    const first = await chosen.innerText();
    await page.keyboard.press('ArrowDown');
    const second = await chosen.innerText();
    expect(second).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await chosen.innerText()).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await chosen.innerText()).toBe(await options.last().innerText());
    await page.keyboard.type('nothing like it');
    await dialog.getByText('No resources match “nothing like it”.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('list', { name: 'Attachments to send' }).count()).toBe(0);
  });

  test('that cannot be read leaves everything as it was typed, with the reason', async () => {
    const { page, client, model, send, script } = await openChat();
    await connect(client, nodeServer(program, [], { name: 'ours' }));
    script({ text: ['Seen.'] });
    const { search } = await openDialog(page);
    await search.fill('archive');
    await page.getByRole('option', { name: 'archive one' }).waitFor();
    await page.keyboard.press('Enter');
    await send('Look at this');
    await page.getByRole('alert').filter({ hasText: 'application/zip' }).waitFor();
    const message = page.getByRole('textbox', { name: 'Message' });
    expect(await message.inputValue()).toBe('Look at this');
    expect(model.requests).toEqual([]);
    expect(await client.call(api.conversations.list, { query: {} })).toEqual([]);
    await page.getByRole('button', { name: 'Remove archive one' }).click();
    await send('Look at this');
    await page.getByText('Seen.').waitFor();
  });

  test('offers nothing to choose if no server is connected', async () => {
    const { page } = await openChat();
    const { dialog } = await openDialog(page);
    await dialog.getByText('No MCP server is connected.').waitFor();
  });
});
