import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { xssCorpus } from '../renderer-shell/testing/xss-corpus.ts';
import { api } from '../service/contract/index.ts';
import {
  type HttpServer,
  nodeServer,
  realServer,
  remoteServer,
  startEverything,
} from '../service/testing/mcp/real-servers.ts';
import { AuthorizationServer } from '../service/testing/mcp-oauth/authorization-server.ts';
import { agreeAt } from '../service/testing/mcp-oauth/person.ts';
import { serveProtected } from '../service/testing/mcp-oauth/protected-server.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages([422, 409, 400]);

/** Stopped at the end of the test. */
const everything: HttpServer[] = [];
test.afterEach(async () => {
  await Promise.all(everything.splice(0).map((server) => server.kill()));
});

async function useEverything(transport: HttpServer['transport']): Promise<HttpServer> {
  const server = await startEverything(transport);
  everything.push(server);
  return server;
}

const listing = join(import.meta.dirname, '..', 'service', 'testing', 'mcp', 'listing-server.mjs');

async function openServers(hash = '#/mcp') {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'MCP', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
  if (hash !== '#/mcp') await page.evaluate((next) => (location.hash = next), hash);
  return { page, client: await host.client() };
}

test('servers of another program are previewed before they are imported, connected, tried, changed and deleted', async () => {
  const { page, client } = await openServers();
  await page.getByRole('main').getByRole('button', { name: 'Import from JSON' }).click();
  const { command, args } = realServer('everything', [], { name: 'x' });
  const every = { command, args, env: { API_KEY: 'a-secret-value-of-the-test' } };
  const document = { mcpServers: { every, old: { type: 'ws', url: 'ws://127.0.0.1:9' } } };
  const editor = page.getByRole('textbox', { name: 'Server configuration (JSON)' });
  await editor.fill('{"mcpServers": {');
  await page.getByText('This is not a JSON object').waitFor();
  await editor.fill(JSON.stringify(document));
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('One server will be added').waitFor();
  await preview.getByText('Stored encrypted: API_KEY').waitFor();
  await preview.getByText(/^old /).waitFor();
  expect(await client.call(api.mcp.list)).toEqual([]);
  await picture('mcp-import');
  await page.getByRole('button', { name: 'Add one server' }).click();
  await page.getByText('One server was added').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Open every' }).click();
  await page.getByRole('heading', { level: 1, name: 'every' }).waitFor();
  await page.getByRole('button', { name: 'MCP 1/1' }).waitFor();

  const tools = page.getByRole('list', { name: 'Tools' });
  await tools.getByText('get-sum', { exact: true }).click();
  const form = page.getByRole('form', { name: 'Try get-sum' });
  await form.getByRole('textbox', { name: 'a' }).fill('2');
  await form.getByRole('textbox', { name: 'b' }).fill('40');
  await form.getByRole('button', { name: 'Run now' }).click();
  await form.getByText('The sum of 2 and 40 is 42.').waitFor();
  await form.getByText('JSON', { exact: true }).click();
  await form.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"a": "two"}');
  await form.getByRole('button', { name: 'Run now' }).click();
  await form.getByText('The tool reported an error').waitFor();
  await tools.getByText('get-tiny-image', { exact: true }).click();
  const image = page.getByRole('form', { name: 'Try get-tiny-image' });
  await image.getByRole('button', { name: 'Run now' }).click();
  await image.getByRole('img', { name: 'Image from the server' }).waitFor();
  await picture('mcp-tools');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('form', { name: 'Edit' });
  const key = edit.getByRole('group', { name: 'API_KEY' });
  await key.getByText('Stored, unchanged').waitFor();
  expect(await page.content()).not.toContain('a-secret-value-of-the-test');
  await edit.getByRole('button', { name: 'Add value' }).click();
  const added = edit.getByRole('group', { name: 'New value' });
  await added.getByRole('textbox', { name: 'Name' }).fill('OTHER');
  await edit
    .getByRole('group', { name: 'OTHER' })
    .getByLabel('Value', { exact: true })
    .fill('second');
  await picture('mcp-edit');
  await edit.getByRole('button', { name: 'Save and reconnect' }).click();
  await edit.waitFor({ state: 'detached' });
  const environment = async () => {
    const [view] = await client.call(api.mcp.list);
    const body = { tool: 'get-env', arguments: {} };
    return JSON.stringify(await client.call(api.mcp.call, { params: { id: view!.id }, body }));
  };
  const variables = await environment();
  expect(variables).toContain('a-secret-value-of-the-test');
  expect(variables).toContain('second');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByText('models can no longer use its 14 tools').waitFor();
  await page.getByRole('button', { name: 'Delete server' }).click();
  await page.getByText('No MCP servers yet').waitFor();
  expect(await client.call(api.mcp.list)).toEqual([]);
});

test('a missing program is reported with what to do, and works once it is fixed', async () => {
  const { page } = await openServers('#/mcp/new');
  const form = page.getByRole('form', { name: 'Add server' });
  await form.getByLabel('Name', { exact: true }).fill('not a name');
  await form.getByLabel('Command').fill('no-such-program-of-the-test');
  await form.getByRole('button', { name: 'Add and connect' }).click();
  await form.getByText('can contain letters, digits').first().waitFor();
  await form.getByLabel('Name', { exact: true }).fill('broken');
  await form.getByRole('button', { name: 'Add and connect' }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByText('Unable to connect to this server').waitFor();
  await alert.getByText('no-such-program-of-the-test was not found on the PATH').waitFor();
  await page.getByRole('button', { name: 'MCP 0/1' }).waitFor();
  await picture('mcp-broken');
  await alert.getByRole('button', { name: 'Log' }).click();
  await page
    .getByRole('complementary', { name: 'Log' })
    .getByText('was not found')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Close log' }).click();
  await alert.getByRole('button', { name: 'Edit' }).click();
  const { command, args = [] } = realServer('everything', [], { name: 'x' });
  const edit = page.getByRole('form', { name: 'Edit' });
  await edit.getByLabel('Command').fill(command ?? '');
  await edit.getByLabel('Arguments').fill(args.join('\n'));
  await edit.getByRole('button', { name: 'Save and reconnect' }).click();
  await page.getByRole('tab', { name: 'Tools (14)' }).waitFor();
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await page.getByText(/^Connected in \d+ ms$/).waitFor();
});

test('a tool of a remote server can be used without a mouse, and both themes are accessible', async () => {
  const { url } = await useEverything('STREAMABLE_HTTP');
  const { page, client } = await openServers();
  await page.keyboard.press('Control+k');
  await page.locator('[role="combobox"]:focus').waitFor();
  await page.keyboard.type('add an mcp server');
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'Add server' });
  await form.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('remote');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.type(url);
  await page.keyboard.press('Enter');
  const prompts = page.getByRole('tab', { name: 'Prompts' });
  await page.getByRole('tab', { name: 'Tools (14)' }).focus();
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => prompts.getAttribute('aria-selected')).toBe('true');
  const list = page.getByRole('list', { name: 'Prompts' });
  await list.locator('summary').filter({ hasText: 'args-prompt' }).focus();
  await page.keyboard.press('Enter');
  await list.getByRole('textbox', { name: 'city' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Berlin');
  await page.keyboard.press('Enter');
  await list.getByText("What's weather in Berlin?").waitFor();
  await client.call(api.settings.put, { body: { theme: 'dark' } });
  await page.reload();
  await page.getByRole('tab', { name: 'Resources' }).click();
  const resources = page.getByRole('list', { name: 'Resources' });
  await resources.locator('summary').first().click();
  await resources.getByRole('button', { name: 'Read' }).click();
  await resources.locator('.tool-text pre').waitFor();
  await picture('mcp-dark');
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add server' }).click();
  await form.getByText('More', { exact: true }).click();
  expect(await seriousViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 700, height: 800 });
  await client.call(api.settings.put, { body: { language: 'zh-CN', theme: 'light' } });
  await page.reload();
  await page.getByRole('form', { name: '添加服务器' }).waitFor();
  await picture('mcp-narrow-zh');
});

test('names and descriptions from a server are shown as text', async () => {
  const { page, client } = await openServers();
  const tools = xssCorpus.map((name) => ({
    name,
    title: name,
    description: name,
    inputSchema: {
      type: 'object',
      properties: { [name]: { type: 'string', title: name, description: name, enum: [name] } },
    },
  }));
  const prompts = xssCorpus.map((name) => ({ name, description: name, arguments: [{ name }] }));
  const resources = xssCorpus.map((name, index) => ({ name, uri: `${name}${index}` }));
  const lists = JSON.stringify({ tools, prompts, resources });
  await client.call(api.mcp.create, { body: nodeServer(listing, [lists], { name: 'hostile' }) });
  await page.getByRole('button', { name: /^hostile/ }).click();
  await page.getByRole('tab', { name: `Tools (${xssCorpus.length})` }).waitFor();
  const summaries = page.locator('.mcp-item > summary');
  // The panel appears after its tab, and `all` does not wait.
  await summaries.nth(xssCorpus.length - 1).waitFor();
  for (const summary of await summaries.all()) await summary.click();
  const first = page.getByRole('form').first();
  await first.getByRole('button', { name: 'Run now' }).click();
  await first.getByText(/^Done in/).waitFor();
  await page.getByRole('tab', { name: 'Prompts' }).click();
  await page.getByRole('list', { name: 'Prompts' }).getByText('<script>').first().click();
  await page.getByRole('tab', { name: 'Resources' }).click();
  await page.getByRole('list', { name: 'Resources' }).getByText('<script>').first().click();
  await page.getByRole('tab', { name: 'Configuration' }).click();
  await page.getByText('Reported name').waitFor();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
});

test('servers ask the model only where the person allowed it', async () => {
  const { url } = await useEverything('SSE');
  const { page, client } = await openServers();
  await client.call(api.mcp.create, {
    body: remoteServer({ transport: 'SSE', url }, { name: 'older' }),
  });
  const on = page.getByRole('switch', { name: 'Allow servers to use the model' });
  await on.click({ force: true });
  await expect
    .poll(async () => (await client.call(api.settings.get)).mcpSamplingEnabled)
    .toBe(true);
});

test('the sign-in page is previewed first, and the return is shown', async () => {
  const authority = await AuthorizationServer.start();
  const server = await serveProtected(authority);
  try {
    const { page, client } = await openServers();
    await client.call(api.mcp.create, {
      body: remoteServer(
        { transport: 'STREAMABLE_HTTP', url: `${server.base}/mcp` },
        { name: 'guarded' },
      ),
    });
    await page.getByRole('button', { name: /^guarded/ }).click();
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to guarded' });
    const link = dialog.getByRole('link', { name: 'Open page' });
    const address = new URL((await link.getAttribute('href')) ?? '');
    expect(address.origin).toBe(authority.base);
    await dialog.getByText(address.host, { exact: false }).first().waitFor();
    await dialog.getByText('Waiting for you to sign in').waitFor();
    expect((await fetch(await agreeAt(address))).status).toBe(200);
    await dialog.getByText('Signed in and connected').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('tab', { name: 'Tools (1)' }).waitFor();
  } finally {
    await server.close();
    await authority.close();
  }
});
