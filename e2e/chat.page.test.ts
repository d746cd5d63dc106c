import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { chatPages, runs } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([400]);
const { picture } = pages;
const openChat = chatPages(pages);

const toolCard = (page: Page, name: string) => page.locator('details.tool', { hasText: name });
const cardOf = (page: Page) => page.getByRole('group', { name: 'Approval needed' });

test('a turn thinks, uses a plugin and a command, and asks once for what is then always allowed; reopened it is all there [CHAT-06]', async () => {
  const { page, client, model, send, script } = await openChat();
  script(
    {
      thinking: ['The words must be ', 'counted first.'],
      text: ['Let me **count**. '],
      toolCalls: [
        { name: 'measure', arguments: '{"text":"one two three"}' },
        { name: 'execute_command', arguments: '{"command":"wc -w notes.txt; echo counted"}' },
      ],
    },
    { text: ['There are `3` words.\n\n', '```js\nconst n = 3;\n```\n'] },
  );
  await send('How many words?');
  const card = cardOf(page);
  await card.getByText('wc -w notes.txt; echo counted').waitFor();
  await picture('chat-approval');
  await card.getByRole('button', { name: 'Always allow…' }).click();
  const rules = await card.getByLabel('Rules to save').inputValue();
  expect(rules.split('\n').length).toBeGreaterThan(0);
  await picture('chat-always');
  await card.getByRole('button', { name: 'Save and allow' }).click();
  await page.getByText('There are 3 words.').waitFor();
  await picture('chat-answered');
  const { permissionRules } = await client.call(api.settings.get);
  expect(permissionRules.allow.split('\n')).toEqual(rules.split('\n'));

  script(runs('wc -w notes.txt; echo counted'), { text: ['Same as before.'] });
  await send('Again, please');
  await page.getByText('Same as before.').waitFor();
  expect(await card.count()).toBe(0);

  script(runs('git push'), { text: ['Not pushed.'] });
  await send('And push it');
  await card.getByText('git push').first().waitFor();
  expect(await card.getByRole('button', { name: 'Always allow…' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Reject' }).click();
  await card.getByLabel('Message to the model').fill('Not today.');
  await page.keyboard.press('Enter');
  await page.getByText('Not pushed.').waitFor();
  const lastMessage = JSON.stringify(model.requests.at(-1)?.messages.at(-1));
  expect(lastMessage).toContain('Not today.');

  await page.reload();
  await page.getByText('Not pushed.').waitFor();
  await page.getByText('Same as before.').waitFor();
  const thoughts = page.getByText('The words must be counted first.');
  expect(await thoughts.count()).toBe(1);
  expect(await thoughts.isVisible()).toBe(false);
  await page.getByText('Thinking').click();
  await thoughts.waitFor();
  await toolCard(page, 'measure').locator('summary').click();
  await page.getByText('"words": 3').waitFor();
  await toolCard(page, 'wc -w notes.txt').first().click();
  await page.getByText('counted', { exact: true }).waitFor();
  await picture('chat-reopened');
});

test('an approval takes keys only while nobody is typing, and typed text goes to the message', async () => {
  const { page, model, send, script } = await openChat();
  script(runs('touch first'), runs('touch second'), { text: ['Both done.'] });
  await send('go');
  const card = cardOf(page);
  await card.getByText('touch first').waitFor();
  await expect
    .poll(() => card.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.keyboard.type('wait');
  const message = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => message.inputValue()).toBe('wait');
  await page.keyboard.press('Enter');
  expect(await card.count()).toBe(1);
  await message.fill('');
  await card.focus();
  await expect
    .poll(async () => {
      // A card ignores keys shortly after it appears, so the second one does too.
      if ((await card.getByText('touch first').count()) > 0) await page.keyboard.press('Enter');
      return card.getByText('touch second').count();
    })
    .toBe(1);
  await page.keyboard.press('Escape');
  await card.getByLabel('Message to the model').press('Enter');
  await page.getByText('Both done.').waitFor();
  expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('rejected');
});

test('an invalid rule is reported, and the call keeps waiting', async () => {
  const { page, client, send, script } = await openChat();
  script(runs('touch file'), { text: ['Done.'] });
  await send('go');
  const card = cardOf(page);
  await card.getByRole('button', { name: 'Always allow…' }).click();
  await card.getByLabel('Rules to save').fill('Nonsense(');
  await card.getByRole('button', { name: 'Save and allow' }).click();
  await card.getByRole('alert').waitFor();
  expect((await client.call(api.settings.get)).permissionRules.allow).toBe('');
  await card.getByRole('button', { name: 'Back' }).click();
  await card.getByRole('button', { name: 'Allow in this conversation' }).click();
  await page.getByText('Done.').waitFor();
});
