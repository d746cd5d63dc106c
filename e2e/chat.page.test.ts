import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import type { Answer, ModelServer } from '../service/testing/model-server.ts';
import { startModelServer } from '../service/testing/model-server.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import type { BuiltHost } from './built-host.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages();

let model: ModelServer;
beforeEach(async () => {
  model = await startModelServer();
});
afterEach(() => model.close());

const worker = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = method === 'count' ? { words: params.text.split(' ').length } : {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

const words = () =>
  packPlugin({
    manifest: {
      id: 'com.example.words',
      name: 'Words',
      worker: { runtime: 'node' },
      methods: { count: {} },
      aiTools: [
        {
          name: 'measure',
          description: 'Tells how long a text is.',
          method: 'count',
          effect: 'read',
          inputSchema: {
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
          },
        },
      ],
    },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': worker },
  });

/** A started host whose model is the one of the test, and its chat in the shell. */
async function openChat(): Promise<{ page: Page; host: BuiltHost; client: Client }> {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await client.call(api.aiConfig.put, {
    body: {
      activeMode: 'cloud_c',
      cloud_c: { apiKey: 'key-of-the-test', model: 'test-model', baseUrl: model.baseUrl },
    },
  });
  await upload({ client }, await words());
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  return { page, host, client };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Answers one after the other; the last one again and again. */
function script(...answers: Answer[]): void {
  model.requests.length = 0;
  model.script((_, index) => answers[Math.min(index, answers.length - 1)] ?? {});
}

const runs = (command: string): Answer => ({
  toolCalls: [{ name: 'execute_command', arguments: JSON.stringify({ command }) }],
});

const toolCard = (page: Page, name: string) => page.locator('details.tool', { hasText: name });

it('a turn thinks, uses a plugin and a command, and asks once for what is then always allowed; reopened it is all there', async () => {
  const { page, client } = await openChat();
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
  await say(page, 'How many words?');
  const card = page.getByRole('group', { name: 'Decision needed' });
  await card.getByText('wc -w notes.txt; echo counted').waitFor();
  await picture('chat-approval');
  await card.getByRole('button', { name: 'Always allow…' }).click();
  const rules = await card.getByLabel('Rules to store').inputValue();
  expect(rules.split('\n').length).toBeGreaterThan(0);
  await picture('chat-always');
  await card.getByRole('button', { name: 'Store and allow' }).click();
  await page.getByText('There are 3 words.').waitFor();
  await picture('chat-answered');
  const { permissionRules } = await client.call(api.settings.get);
  expect(permissionRules.allow.split('\n')).toEqual(rules.split('\n'));

  script(runs('wc -w notes.txt; echo counted'), { text: ['Same as before.'] });
  await say(page, 'Again, please');
  await page.getByText('Same as before.').waitFor();
  expect(await card.count()).toBe(0);

  script(runs('git push'), { text: ['Not pushed.'] });
  await say(page, 'And push it');
  await card.getByText('git push').first().waitFor();
  expect(await card.getByRole('button', { name: 'Always allow…' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Reject' }).click();
  await card.getByLabel('What the model should know').fill('Not today.');
  await page.keyboard.press('Enter');
  await page.getByText('Not pushed.').waitFor();
  const told = JSON.stringify(model.requests.at(-1)?.messages.at(-1));
  expect(told).toContain('Not today.');

  await page.reload();
  await page.getByText('Not pushed.').waitFor();
  await page.getByText('Same as before.').waitFor();
  await page.getByText('Thoughts').click();
  await page.getByText('The words must be counted first.').waitFor();
  await toolCard(page, 'measure').locator('summary').click();
  await page.getByText('"words": 3').waitFor();
  await toolCard(page, 'wc -w notes.txt').first().click();
  await page.getByText('counted', { exact: true }).waitFor();
  await picture('chat-reopened');
});
