import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages();

async function openShell() {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Settings', exact: true }).waitFor();
  return { page, client: await host.client() };
}

type Client = Awaited<ReturnType<typeof openShell>>['client'];

/** Starts a run whose second step fails with exit code 3. */
async function failRun(client: Client): Promise<string> {
  const step = (title: string, command: string, dependsOn: number[]) => ({
    title,
    tool: 'execute_command',
    arguments: { command },
    dependsOn,
  });
  const { runId } = await client.call(api.agent.run, {
    body: {
      goal: 'Fail on purpose',
      config: { planApproval: false, permissionMode: 'full-access' },
      workflow: {
        steps: [
          step('Works', 'true', []),
          step('Breaks', 'printf "no such word\\nin the list\\n" >&2; exit 3', [0]),
        ],
      },
    },
  });
  const status = async () => (await client.call(api.agent.show, { params: { runId } })).status;
  await expect.poll(status).toBe('failed');
  return runId;
}

test('the diagnostics show what failed, and save one report without secrets', async () => {
  const { page, client } = await openShell();
  const cloud = { apiKey: 'a-planted-key-of-the-test', model: 'm', baseUrl: '' };
  await client.call(api.aiConfig.put, { body: { cloud_a: cloud } });
  const runId = await failRun(client);
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: /^Diagnostics/ }).click();
  const section = page.getByRole('region', { name: 'Diagnostics' });
  const errors = section.getByRole('list', { name: 'Recent warnings and errors' });
  await errors.getByText(`Run ${runId} failed at step 2 (execute_command)`).waitFor();
  const downloading = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Save report…' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^plugin-host-report-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  await section.getByText('Report saved.').waitFor();
  expect(JSON.parse(text)).toMatchObject({ diagnostics: { mode: 'APP' }, settings: {} });
  expect(text).toContain(runId);
  expect(text).not.toContain('planted');
  expect(await seriousViolations(page)).toEqual([]);
  await picture('settings-diagnostics');
  await client.call(api.settings.put, { body: { language: 'zh-CN' } });
  await page.reload();
  // Log lines are in English in every language.
  await page.getByText('最近的警告和错误').waitFor();
  await page.getByText(`Run ${runId} failed at step 2 (execute_command)`).waitFor();
});

test('one area of the log gets its own level and is reset', async () => {
  const { page, client } = await openShell();
  const levels = async () => (await client.call(api.settings.get)).logLevels;
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: /^Plugins and isolation/ }).click();
  await page.getByRole('combobox', { name: 'Log level by area' }).click();
  await page.getByRole('option', { name: 'MCP servers' }).click();
  await expect.poll(levels).toEqual({ mcp: 'DEBUG' });
  await page.getByRole('combobox', { name: 'MCP servers' }).click();
  await page.getByRole('option', { name: 'Trace' }).click();
  await expect.poll(levels).toEqual({ mcp: 'TRACE' });
  expect(await seriousViolations(page)).toEqual([]);
  await picture('settings-log-levels');
  await page.getByRole('button', { name: 'Remove the level for MCP servers' }).click();
  await expect.poll(levels).toEqual({});
});

test('a failed run counts its steps from 1, says why, and opens the details', async () => {
  const { page, client } = await openShell();
  const runId = await failRun(client);
  await page.getByRole('button', { name: 'Notifications' }).click();
  const item = page.getByRole('listitem').filter({ hasText: 'Failed: Fail on purpose' });
  await item.getByText('Agent', { exact: true }).waitFor();
  await item.getByText(/^Step 2 \(Breaks\) failed: The command ended with exit code 3/).waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate((id) => (location.hash = `#/agent/${id}`), runId);
  const end = page.getByText(/^Step 2 \(Breaks\) failed/).last();
  await end.waitFor();
  await expect(page.locator('li.step .step-number')).toHaveText(['1', '2']);
  const failed = page.locator('li.step', { hasText: 'Breaks' });
  await failed.getByText('The command ended with exit code 3: in the list').waitFor();
  await failed.getByText('no such word').waitFor();
  await page.getByText('Details', { exact: true }).last().click();
  await page.getByRole('button', { name: 'Copy' }).last().waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await picture('run-failed-details');
});
