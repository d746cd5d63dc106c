import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api, HookEvent } from '../service/contract/index.ts';
import { startModelServer } from '../service/testing/model-server.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages([400, 404, 422]);

async function openSettings() {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Settings' }).waitFor();
  return { page, client: await host.client() };
}

test('a model is tested before it is stored, its key is never shown again, and the chat can start', async () => {
  const model = await startModelServer();
  try {
    const { page, client } = await openSettings();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.getByText('No model set up').waitFor();
    await page.getByRole('button', { name: 'Set up a model' }).click();
    const section = page.getByRole('region', { name: 'Model', exact: true });
    await section.getByRole('combobox', { name: 'Provider', exact: true }).click();
    await page.getByRole('option', { name: 'OpenAI-compatible server' }).click();
    await section.getByLabel('Address').fill('http://127.0.0.1:9');
    await section.getByLabel('API key').fill('a-secret-key-of-the-test');
    await section.getByRole('combobox', { name: 'Model' }).fill('test-model');
    await section.getByRole('button', { name: 'Test' }).click();
    await section.getByText('Test failed').waitFor();
    await section.getByLabel('Address').fill(model.baseUrl);
    await section.getByRole('button', { name: 'Test' }).click();
    await section.getByText('The model is responding').waitFor();
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

test('rules are tested before they are stored, and invalid lines are reported', async () => {
  const { page, client } = await openSettings();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Permissions/ }).click();
  const section = page.getByRole('region', { name: 'Permission rules' });
  const tester = section.getByRole('form', { name: 'Test a call' });
  await tester.getByLabel('Command').fill('npm run build');
  await tester.getByRole('button', { name: 'Test' }).click();
  await tester.getByText('Would ask for approval').waitFor();
  await section.getByLabel('Allow', { exact: true }).fill('Command(npm run:*)\nCommand(npm');
  await tester.getByRole('button', { name: 'Test' }).click();
  await tester.getByText('Would run without asking').waitFor();
  await tester.getByText('Allow, line 2:').waitFor();
  await section.getByText('Line 2:', { exact: false }).first().waitFor();
  await section.getByLabel('Deny', { exact: true }).fill('Command(npm:*)');
  await tester.getByRole('button', { name: 'Test' }).click();
  await tester.getByText('Would be refused').waitFor();
  await picture('settings-rules');
  await section.getByRole('button', { name: 'Save rules' }).click();
  await section
    .getByRole('alert')
    .getByText('is not a valid rule', { exact: false })
    .first()
    .waitFor();
  await section.getByText('Line 2:', { exact: false }).first().waitFor();
  expect(await section.getByLabel('Allow', { exact: true }).textContent()).toContain('Command(npm');
  const { permissionRules: before } = await client.call(api.settings.get);
  expect(before).toEqual({ deny: '', ask: '', allow: '' });
  await section.getByLabel('Allow', { exact: true }).fill('Command(npm run:*)');
  await section.getByRole('button', { name: 'Save rules' }).click();
  await expect
    .poll(async () => (await client.call(api.settings.get)).permissionRules)
    .toEqual({ deny: 'Command(npm:*)', ask: '', allow: 'Command(npm run:*)' });
});

test('typed text survives a change of section until it is stored or discarded', async () => {
  const { page, client } = await openSettings();
  const open = (section: string) =>
    page.evaluate((hash) => (location.hash = hash), `#/settings/${section}`);
  await open('permissions');
  const rules = page.getByRole('region', { name: 'Permission rules' });
  await rules.getByLabel('Deny', { exact: true }).fill('Command(rm:*)');
  await open('models');
  const model = page.getByRole('region', { name: 'Model', exact: true });
  await model.getByLabel('Address').fill('http://127.0.0.1:9');
  await open('work');
  const folder = page.getByRole('region', { name: 'Workspace' }).getByRole('textbox');
  await folder.fill('/tmp/typed');
  await open('hooks');
  const hooks = page.getByRole('region', { name: 'Your hooks' });
  await hooks.getByRole('button', { name: 'Add hook' }).click();
  await hooks.getByLabel('Name').fill('Half a hook');

  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await open('permissions');
  await expect
    .poll(() => rules.getByLabel('Deny', { exact: true }).textContent())
    .toContain('Command(rm:*)');
  const allow = 'Command(ls:*)';
  await client.call(api.settings.put, { body: { permissionRules: { deny: '', ask: '', allow } } });
  await rules.getByRole('button', { name: 'Save rules' }).click();
  await expect
    .poll(async () => (await client.call(api.settings.get)).permissionRules.deny)
    .toBe('Command(rm:*)');
  await open('models');
  expect(await model.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:9');
  await model.getByRole('button', { name: 'Discard changes' }).click();
  expect(await model.getByLabel('Address').inputValue()).toBe('');
  await open('work');
  await expect.poll(() => folder.inputValue()).toBe('/tmp/typed');
  await open('hooks');
  expect(await hooks.getByLabel('Name').inputValue()).toBe('Half a hook');
  await hooks.getByRole('button', { name: 'Cancel' }).click();
  await hooks.getByRole('button', { name: 'Add hook' }).click();
  expect(await hooks.getByLabel('Name').inputValue()).toBe('');
});

test('a model without a name is stored, but not reported as ready', async () => {
  const model = await startModelServer();
  try {
    const { page } = await openSettings();
    await page.evaluate(() => (location.hash = '#/settings/models'));
    const section = page.getByRole('region', { name: 'Model', exact: true });
    await section.getByRole('combobox', { name: 'Provider', exact: true }).click();
    await page.getByRole('option', { name: 'OpenAI-compatible server' }).click();
    await section.getByText('Enter the server address, for example').waitFor();
    await section.getByLabel('Address').fill(model.baseUrl);
    await section.getByRole('button', { name: 'Test' }).click();
    await section.getByText(/^The server is responding/).waitFor();
    expect(await section.getByText(/^The model is responding/).count()).toBe(0);
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Saved, but no model is available yet').waitFor();
    await section.getByText('Enter a model name.').first().waitFor();
    await section.getByRole('combobox', { name: 'Model' }).fill('test-model');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Saved', { exact: true }).waitFor();
    await section.getByRole('button', { name: 'Start a conversation' }).waitFor();
  } finally {
    await model.close();
  }
});

test('permanent approvals are listed, and can be removed', async () => {
  const { page, client } = await openSettings();
  const allow = 'Command(git status)\n# of mine\nTool(web_*)';
  await client.call(api.settings.put, { body: { permissionRules: { allow } } });
  await page.evaluate(() => (location.hash = '#/settings/permissions'));
  await page.reload();
  const approvals = page.getByRole('region', { name: 'Saved approvals' });
  await expect.poll(() => approvals.getByRole('listitem').count()).toBe(2);
  await approvals.getByRole('button', { name: 'Revoke Command(git status)' }).click();
  await expect
    .poll(async () => (await client.call(api.settings.get)).permissionRules.allow)
    .toBe('# of mine\nTool(web_*)');
});

test('a hook is added, tried, switched off and deleted, and shows its outcome', async () => {
  const { page, client } = await openSettings();
  await page.evaluate(() => (location.hash = '#/settings/hooks'));
  const section = page.getByRole('region', { name: 'Your hooks' });
  await section.getByRole('button', { name: 'Add hook' }).click();
  const form = section.getByRole('form', { name: 'Add hook' });
  await form.getByLabel('Name').fill('Careful <b>one</b>');
  await form.getByLabel('Command line').fill('echo not today >&2; exit 2');
  await form.getByLabel('Tools').fill('execute_command');
  await form.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Careful <b>one</b>').waitFor();
  await section.getByRole('button', { name: 'Test' }).click();
  await section.getByText(/^denied ·/).waitFor();
  await section.locator('pre').getByText('not today').waitFor();
  await picture('settings-hooks');
  await section.getByRole('switch').press('Space');
  await expect
    .poll(async () => (await client.call(api.settings.get)).hooks.map(({ enabled }) => enabled))
    .toEqual([false]);
  await section.getByRole('button', { name: 'Delete Careful' }).click();
  await section.getByText('No hooks yet.').waitFor();
  expect((await client.call(api.settings.get)).hooks).toEqual([]);
});

test('a hook denies on failure where that is switched on, and no longer once it runs at another time', async () => {
  const { page, client } = await openSettings();
  await page.evaluate(() => (location.hash = '#/settings/hooks'));
  const section = page.getByRole('region', { name: 'Your hooks' });
  const stored = async () => (await client.call(api.settings.get)).hooks;
  await section.getByRole('button', { name: 'Add hook' }).click();
  const form = section.getByRole('form');
  const failClosed = form.getByRole('switch', { name: 'Deny calls if the hook fails' });
  await form.getByLabel('Name').fill('Guard');
  await form.getByLabel('Command line').fill('/no/such/guard');
  expect(await failClosed.isChecked()).toBe(false);
  await failClosed.press('Space');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject([{ event: 'pre_tool_use', failClosed: true }]);

  await section.getByRole('button', { name: 'Edit hook' }).click();
  expect(await failClosed.isChecked()).toBe(true);
  await form.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option').nth(1).click();
  await failClosed.waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const [hook] = await stored();
  expect(hook).toMatchObject({ name: 'Guard', event: HookEvent.options[1] });
  expect(hook).not.toHaveProperty('failClosed');
});

test('the workspace folder is stored as it is named, and the default returns when it is emptied', async () => {
  const { page, client } = await openSettings();
  await page.evaluate(() => (location.hash = '#/settings/work'));
  const section = page.getByRole('region', { name: 'Workspace' });
  const folder = section.getByRole('textbox');
  const stored = async () => (await client.call(api.settings.get)).workspaceDirectory;
  await folder.fill('  my projects/here ');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByRole('status').getByText('Saved').waitFor();
  expect(await stored()).toBe('my projects/here');
  await page.reload();
  await expect.poll(() => folder.inputValue()).toBe('my projects/here');
  await picture('settings-work');
  await folder.fill('x'.repeat(5_000));
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByRole('alert').waitFor();
  expect(await stored()).toBe('my projects/here');
  await folder.fill('');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toBe('');
});

test('computer use is switched on and off, and shows why it is unavailable', async () => {
  const { page, client } = await openSettings();
  await page.evaluate(() => (location.hash = '#/settings/computer'));
  const section = page.getByRole('region', { name: 'Computer use' });
  await section.getByText(/No screen is available|can be viewed and controlled/).waitFor();
  const enabled = async () => (await client.call(api.settings.get)).computerUseEnabled;
  await section.getByRole('switch', { name: 'Allow models to use this computer' }).press('Space');
  await expect.poll(enabled).toBe(false);
  await section.getByRole('switch').press('Space');
  await expect.poll(enabled).toBe(true);
});

test('messages about a field are in the language of the shell [ERROR-02]', async () => {
  const { page, client } = await openSettings();
  await client.call(api.settings.put, { body: { language: 'zh-CN' } });
  await page.evaluate(() => (location.hash = '#/mcp/new'));
  await page.reload();
  const form = page.getByRole('form', { name: '添加服务器' });
  await form.getByLabel('名称', { exact: true }).fill('not a name');
  await form.getByLabel('命令', { exact: true }).fill('x');
  await form.getByRole('button', { name: '添加并连接' }).click();
  await form.getByText('有些字段无效。').waitFor();
  await form.getByText('只能使用字母、数字、- 和单个 _，并以字母或数字开头').first().waitFor();
  expect(await form.textContent()).not.toContain('must be');
});

test('without a sandbox the state, the advice and the switch are shown, and consent takes effect at once', async () => {
  const page = currentPage();
  const empty = await hosts.makeFolder();
  const args = ['--web', '--port=0', '--setup=SQLITE'];
  const host = await hosts.start({ args, env: { PATH: empty } });
  await page.goto(await host.value('HOST_URL'));
  const client = await host.client();
  const word = async () => (await client.call(api.settings.get)).unsandboxedPlugins;
  await page.getByRole('button', { name: /sandbox$/i }).click();
  await page.getByRole('heading', { name: 'Plugin isolation' }).waitFor();
  await page.getByText(/workers of other plugins do not start\./).waitFor();
  await page.getByText('apt install bubblewrap', { exact: false }).waitFor();
  const toggle = page.getByRole('switch', { name: 'Run plugins without a sandbox' });
  expect(await toggle.isChecked()).toBe(false);
  await picture('settings-refused');
  await toggle.press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await word()).toBe(false);
  await toggle.press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Run without a sandbox' }).click();
  await expect.poll(word).toBe(true);
  await page.getByText(/workers of other plugins do not start\./).waitFor({ state: 'detached' });
  expect(await toggle.isChecked()).toBe(true);
  await toggle.press('Space');
  await expect.poll(word).toBe(false);
  await page.getByText(/workers of other plugins do not start\./).waitFor();
});

test('every section can be read in both themes, and the shield tells what holds', async () => {
  const { page, client } = await openSettings();
  const { sandboxed } = await client.call(api.host.isolation);
  await page.getByRole('button', { name: sandboxed ? 'Sandboxed' : /sandbox$/i }).click();
  await page.getByRole('heading', { name: 'Plugin isolation' }).waitFor();
  const names = [
    'Appearance and language',
    'Models',
    'Permissions',
    'Hooks',
    'Plugins and isolation',
  ];
  const data = ['Database and backup', 'Updates', 'Diagnostics', 'About'];
  const more = ['Web search', 'Memory', 'Workspace', ...data];
  for (const theme of ['light', 'dark'] as const) {
    await client.call(api.settings.put, { body: { theme } });
    await page.reload();
    for (const name of [...names, ...more]) {
      const row = page
        .getByRole('complementary')
        .getByRole('button', { name: new RegExp(`^${name}`) });
      await row.click();
      await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
      expect([name, await seriousViolations(page)]).toEqual([name, []]);
    }
  }
  await page.setViewportSize({ width: 700, height: 800 });
  await page.getByRole('button', { name: 'Show sections' }).click();
  await page.getByLabel('Search settings').fill('snapshots');
  await page.getByRole('button', { name: /^Database and backup/ }).click();
  await page.getByRole('button', { name: 'Switch database…' }).click();
  await page.getByRole('button', { name: 'Switch database', exact: true }).click();
  await page.getByText('SQLite').first().waitFor();
  await picture('settings-left');
});
