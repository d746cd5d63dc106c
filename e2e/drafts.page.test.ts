import type { Locator } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { realServer } from '../service/testing/mcp/real-servers.ts';
import { installSample } from '../service/testing/sample-plugin.ts';
import { chatPages, runs } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages();
const { hosts, page: currentPage } = pages;
const openChat = chatPages(pages);

test('the address of a source and servers as JSON stay typed when another view is opened', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), path);

  const address = page.getByRole('textbox', { name: 'Address' });
  await goTo('/store');
  await page.getByRole('button', { name: 'Manage sources' }).click();
  await address.fill('acme/plugins');
  const servers = page.getByRole('textbox', { name: 'Server configuration (JSON)' });
  await goTo('/mcp/import');
  await servers.fill('{"mcpServers":{"one":{"url":"http://127.0.0.1:9"}}}');

  await goTo('/store');
  await page.getByRole('button', { name: 'Manage sources' }).click();
  expect(await address.inputValue()).toBe('acme/plugins');
  await goTo('/mcp/import');
  await page.getByText('http://127.0.0.1:9').first().waitFor();
  await page.getByRole('button', { name: 'Add one server' }).waitFor();

  await page.getByRole('button', { name: 'Cancel' }).click();
  await goTo('/mcp/import');
  await servers.waitFor();
  expect(await page.getByText('http://127.0.0.1:9').count()).toBe(0);
});

test('an answer to a call or a plan stays typed when another view is opened', async () => {
  const { page, send, script } = await openChat();
  script(runs('touch first'));
  await send('go');
  const card = page.getByRole('group', { name: 'Approval needed' });
  const goTo = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  await card.getByRole('button', { name: 'Reject' }).click();
  const comment = card.getByLabel('Message to the model');
  await comment.fill('Not in this folder');
  await goTo('Plugins');
  await comment.waitFor({ state: 'detached' });
  await page.goBack();
  expect(await comment.inputValue()).toBe('Not in this folder');
  await card.getByRole('button', { name: 'Back' }).click();
  await card.getByRole('button', { name: 'Always allow…' }).click();
  const rules = card.getByLabel('Rules to save');
  await rules.fill('Command(touch first)');
  await goTo('Plugins');
  await page.goBack();
  expect(await rules.inputValue()).toBe('Command(touch first)');

  await goTo('Agent');
  const steps = [{ title: 'Count', tool: 'measure', arguments: { text: 'a' } }];
  script({ text: [`\`\`\`json\n${JSON.stringify({ steps })}\n\`\`\``] });
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('Count');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Reject' }).click();
  const why = page.getByLabel('Reason (optional)');
  await why.fill('Not this plan');
  await goTo('Plugins');
  await why.waitFor({ state: 'detached' });
  await page.goBack();
  expect(await why.inputValue()).toBe('Not this plan');
});

test('a call that is being tried and the settings of a plugin stay typed, but secrets do not', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const userConfig = {
    unit: { type: 'string', title: 'Unit', default: 'km' },
    key: { type: 'string', title: 'API key', sensitive: true },
  };
  const manifest = { id: 'com.example.units', name: 'Units', userConfig };
  await installSample({ client: await host.client() }, { manifest });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), path);

  await goTo('/settings/permissions');
  const tester = page.getByRole('form', { name: 'Test a call' });
  await tester.getByLabel('Command').fill('npm run build');
  await goTo('/settings/about');
  await tester.waitFor({ state: 'detached' });
  await goTo('/settings/permissions');
  expect(await tester.getByLabel('Command').inputValue()).toBe('npm run build');

  await goTo('/plugins/com.example.units');
  const openDialog = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
  };
  const dialog = page.getByRole('dialog', { name: 'Units settings' });
  await openDialog();
  await dialog.getByLabel('Unit').fill('mi');
  await dialog.getByLabel('API key').fill('typed and secret');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await openDialog();
  expect(await dialog.getByLabel('Unit').inputValue()).toBe('mi');
  expect(await dialog.getByLabel('API key').inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await openDialog();
  expect(await dialog.getByLabel('Unit').inputValue()).toBe('km');
});

test('text typed for an MCP server, its tools and prompts, and its question stays', async () => {
  const { page, client, send, script } = await openChat();
  await client.call(api.settings.put, { body: { permissionMode: 'full-access' } });
  const body = realServer('everything', [], { name: 'every' });
  const { id } = await client.call(api.mcp.create, { body });
  const state = async () => (await client.call(api.mcp.list))[0]?.state;
  await expect.poll(state).toBe('CONNECTED');
  const leaveAndComeBack = async (field: Locator): Promise<void> => {
    await page.getByRole('button', { name: 'Plugins', exact: true }).click();
    await field.waitFor({ state: 'detached' });
    await page.goBack();
  };

  script({ toolCalls: [{ name: 'mcp__every__trigger-elicitation-request', arguments: '{}' }] });
  await send('Ask me');
  const question = page.getByRole('form', { name: 'every is asking for information' });
  const answer = question.getByRole('textbox', { name: 'String', exact: true });
  await answer.fill('Half an answer');
  await leaveAndComeBack(answer);
  expect(await answer.inputValue()).toBe('Half an answer');
  await question.getByRole('button', { name: 'Decline' }).click();

  await page.evaluate((hash) => void (location.hash = hash), `/mcp/${id}`);
  const open = (name: string) => page.locator('summary').filter({ hasText: name }).click();
  await open('get-sum');
  const call = page.getByRole('form', { name: 'Try get-sum' });
  const number = call.getByRole('textbox', { name: 'a' });
  await number.fill('2');
  await leaveAndComeBack(number);
  await open('get-sum');
  expect(await number.inputValue()).toBe('2');
  await call.getByText('JSON', { exact: true }).click();
  const json = call.getByRole('textbox', { name: 'Arguments as JSON' });
  await json.fill('{"a": 2, "b"');
  await leaveAndComeBack(json);
  await open('get-sum');
  await expect.poll(() => json.textContent()).toContain('{"a": 2, "b"');

  await page.getByRole('tab', { name: 'Prompts' }).click();
  await open('args-prompt');
  const city = page.getByRole('textbox', { name: 'city' });
  await city.fill('Berlin');
  await leaveAndComeBack(city);
  await page.getByRole('tab', { name: 'Prompts' }).click();
  await open('args-prompt');
  expect(await city.inputValue()).toBe('Berlin');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const command = page.getByRole('form', { name: 'Edit' }).getByLabel('Command');
  await command.fill('another-program');
  await leaveAndComeBack(command);
  expect(await command.inputValue()).toBe('another-program');
});

test('a message, a goal, a schedule, a server and the inputs of a run stay as they were typed', async () => {
  const { page, client } = await openChat();
  const inputSchema = { type: 'object', properties: { city: { type: 'string', title: 'City' } } };
  const plan = { steps: [{ tool: 'measure', arguments: { text: '{{inputs.city}}' } }] };
  const { id } = await client.call(api.workflows.create, {
    body: { name: 'Measure a city', inputSchema, plan },
  });
  await client.call(api.workflows.publish, {
    params: { workflowId: id },
    body: { published: true },
  });
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), path);
  const schedule = page.getByRole('form', { name: 'New schedule' });
  const fields = [
    {
      path: '/chat',
      field: page.getByRole('textbox', { name: 'Message' }),
      text: 'Half a message',
    },
    {
      path: '/agent',
      field: page.getByRole('textbox', { name: 'Goal', exact: true }),
      text: 'Half a goal',
    },
    {
      path: '/agent/schedules',
      open: () => page.getByRole('button', { name: 'New schedule' }).click(),
      field: schedule.getByRole('textbox', { name: 'Every' }),
      text: '7',
    },
    {
      path: '/mcp/new',
      field: page.getByRole('form', { name: 'Add server' }).getByLabel('Command'),
      text: 'half-a-program',
    },
    {
      path: `/flows/${id}`,
      open: () => page.getByRole('button', { name: 'Run', exact: true }).click(),
      opensAgain: true,
      field: page.getByRole('form', { name: 'Run inputs' }).getByLabel('City'),
      text: 'Berlin',
    },
  ];
  for (const { path, open, field, text } of fields) {
    await goTo(path);
    await open?.();
    await field.fill(text);
  }
  await goTo('/settings/about');
  for (const { path, open, opensAgain, field, text } of fields) {
    await goTo(path);
    if (opensAgain === true) await open();
    await expect.poll(() => field.inputValue()).toBe(text);
  }
});
