import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import {
  detailsIn,
  isSaved,
  newWorkflow,
  nodesIn,
  packWeather,
  paletteIn,
  statuses,
  stepOf,
} from './workflow-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([404, 409, 422]);
const { picture } = pages;
const { workflows } = api;

interface OpenWorkflows {
  page: Page;
  client: Client;
}

async function openWorkflows(): Promise<OpenWorkflows> {
  const page = pages.page();
  const host = await pages.hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Workflows', exact: true }).click();
  return { page, client: await host.client() };
}

/** Presses the mouse button at one element and releases it at another. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error('One of both is not seen.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  const [x, y] = [end.x + end.width / 2, end.y + end.height / 2];
  await page.mouse.move(x - 12, y - 4, { steps: 8 });
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
}

const allStatuses = (page: Page): Promise<(string | undefined)[]> =>
  page
    .locator('.flow-step')
    .evaluateAll((steps) => steps.map((step) => (step as HTMLElement).dataset['status']));

test('a workflow of three steps is built with keys and mouse, repaired, run, reopened after a reload, and published [WORKFLOW-23]', async () => {
  const { page, client } = await openWorkflows();
  await newWorkflow(page);
  const palette = paletteIn(page);
  await palette.getByRole('textbox', { name: 'Search steps' }).fill('text');
  await page.keyboard.press('Enter');
  const details = detailsIn(page);
  const template = details.getByRole('textbox', { name: 'Text with {{name}}' });
  await template.waitFor();
  // Missing values are reported at their field; the draft is stored anyway.
  await details.getByText(/Text with .* is required/).waitFor();
  await isSaved(page);
  expect(await stepOf(page, 'Text template').getByText('1 problem').count()).toBe(1);
  await picture('flows-problem');
  await template.fill('Hello {{inputs.who}}');
  await page.getByText('1 problem', { exact: true }).last().click();
  await page.getByRole('button', { name: /^Text.*inputs\.who/ }).waitFor();
  await page
    .getByRole('banner')
    .or(page.locator('.toolbar'))
    .getByRole('button', { name: 'Inputs' })
    .click();
  await details.getByRole('button', { name: 'Add input' }).click();
  await details.getByRole('textbox', { name: 'Name' }).fill('who');
  await details.getByLabel('Required').check();
  await picture('flows-inputs');
  await expect.poll(() => page.locator('.flow-problems').count()).toBe(0);

  // A new step is added after the selected one and takes its output.
  await palette.getByRole('textbox', { name: 'Search steps' }).fill('');
  await palette.getByRole('button', { name: 'JSON', exact: true }).click();
  await details.getByRole('button', { name: 'Insert a value into JSON' }).click();
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click();
  const json = details.getByRole('textbox', { name: 'JSON', exact: true });
  await expect.poll(() => json.textContent()).toBe('{{node.text_template.result.text}}');
  await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(1);

  const canvas = page.getByRole('region', { name: 'Canvas' });
  await palette
    .getByRole('button', { name: 'Send notification' })
    .dragTo(canvas, { targetPosition: { x: 260, y: 420 } });
  await stepOf(page, 'Send notification').waitFor();
  await page.getByRole('button', { name: 'Arrange steps' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Fit to view' }).click();
  const handle = (title: string, id: string, side: 'source' | 'target'): Locator =>
    stepOf(page, title).locator(`.react-flow__handle.${side}[data-handleid='${id}']`);
  const plain = (title: string, side: 'source' | 'target'): Locator =>
    stepOf(page, title).locator(`.flow-step-head .react-flow__handle.${side}`);
  await drag(
    page,
    handle('JSON', 'value', 'source'),
    handle('Send notification', 'title', 'target'),
  );
  await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(2);
  await drag(page, plain('Send notification', 'source'), plain('Text template', 'target'));
  await page.getByText('the steps would wait for each other').waitFor();
  expect(await page.locator('.react-flow__edge').count()).toBe(2);
  await picture('flows-drawn');

  await isSaved(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const form = page.getByRole('form', { name: 'Run inputs' });
  await form.getByRole('button', { name: 'Run now' }).click();
  await form
    .getByText(/is required/)
    .first()
    .waitFor();
  await form.getByRole('textbox', { name: 'who' }).fill('"Ada"');
  await form.getByRole('button', { name: 'Run now' }).click();
  await expect.poll(() => statuses(page, 'failed')).toBe(1);
  await picture('flows-failed');

  // The failed step shows the reason; it is repaired and run again. The details panel has shrunk
  // the canvas.
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await stepOf(page, 'JSON').click();
  await details.getByRole('region', { name: 'Last result' }).waitFor();
  await json.fill('');
  await details.getByRole('button', { name: 'Insert a value into JSON' }).click();
  await page.getByRole('menuitem', { name: 'who', exact: true }).click();
  await isSaved(page);
  await details.getByRole('tab', { name: 'Run' }).click();
  await form.getByRole('button', { name: 'Run now' }).click();
  await details.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => statuses(page, 'completed')).toBe(3);
  await picture('flows-done');

  await page.reload();
  await expect.poll(() => statuses(page, 'completed')).toBe(3);
  await stepOf(page, 'Text template').click();
  expect(await template.inputValue()).toBe('Hello {{inputs.who}}');
  await details.getByText('"text": "Hello').waitFor();
  await page.getByRole('switch', { name: 'Published' }).click();
  await page.locator('.row', { hasText: 'Published' }).waitFor();
  const [stored] = await client.call(workflows.list);
  expect(stored).toMatchObject({ published: true, plan: { steps: [{}, {}, {}] } });
});

test('a canvas that is completely visible stays visible when the details open', async () => {
  const { page } = await openWorkflows();
  await newWorkflow(page);
  for (const [index, name] of [
    'Text template',
    'JSON',
    'Condition',
    'Wait',
    'Send notification',
  ].entries()) {
    await paletteIn(page).getByRole('button', { name, exact: true }).click();
    await expect.poll(() => nodesIn(page).count()).toBe(index + 1);
  }
  await page.getByRole('button', { name: 'Arrange steps' }).click();
  await detailsIn(page).getByRole('button', { name: 'Close', exact: true }).click();
  await detailsIn(page).waitFor({ state: 'detached' });
  const outside = (): Promise<number> =>
    page.evaluate(() => {
      const canvasBounds = document.querySelector('.flow-canvas')?.getBoundingClientRect();
      const nodes = [...document.querySelectorAll('.react-flow__node')];
      return nodes.filter((node) => {
        const { left, right } = node.getBoundingClientRect();
        return !canvasBounds || left < canvasBounds.left || right > canvasBounds.right;
      }).length;
    });
  const edge = () =>
    page.locator('.flow-canvas').evaluate((canvas) => canvas.getBoundingClientRect().right);
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await expect.poll(outside).toBe(0);
  const before = await edge();
  await stepOf(page, 'Text template').click();
  await detailsIn(page).waitFor();
  await expect.poll(edge).toBeLessThan(before);
  await expect.poll(outside).toBe(0);
  await picture('flows-in-sight');
});

test('fifty steps are undone and redone, parts are copied, and a note is written [LIMIT-23]', async () => {
  const { page } = await openWorkflows();
  await newWorkflow(page);
  const addNote = page.getByRole('button', { name: 'Add note' });
  for (let count = 0; count < 53; count += 1) await addNote.click();
  await expect.poll(() => nodesIn(page).count()).toBe(53);
  const canvas = page.getByRole('region', { name: 'Canvas' });
  await canvas.focus();
  for (let count = 0; count < 60; count += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => nodesIn(page).count()).toBe(3);
  for (let count = 0; count < 60; count += 1) await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => nodesIn(page).count()).toBe(53);

  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect.poll(() => nodesIn(page).count()).toBe(0);
  await paletteIn(page).getByRole('button', { name: 'Wait', exact: true }).click();
  await paletteIn(page).getByRole('button', { name: 'Send notification' }).click();
  await canvas.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await expect.poll(() => nodesIn(page).count()).toBe(4);
  await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(2);
  await addNote.click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Wait, then tell.');
  await isSaved(page);
  await page.reload();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue())
    .toBe('Wait, then tell.');
  expect(await nodesIn(page).count()).toBe(5);
});

test('an undone and redone change that was not sent yet is saved', async () => {
  const { page } = await openWorkflows();
  await newWorkflow(page);
  await page.getByRole('button', { name: 'Add note' }).click();
  await isSaved(page);
  const canvas = page.getByRole('region', { name: 'Canvas' });
  await canvas.focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => nodesIn(page).count()).toBe(1);
  await isSaved(page);
});

test('a step that needs approval is answered where the run is shown, and a run is stopped', async () => {
  const { page, client } = await openWorkflows();
  await page.getByRole('button', { name: /Send a message after confirmation/ }).click();
  await stepOf(page, 'Ask to confirm').waitFor();
  await expect.poll(() => nodesIn(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const form = page.getByRole('form', { name: 'Run inputs' });
  await form.getByRole('textbox', { name: 'Send to (address)' }).fill('http://127.0.0.1:9/');
  await form.getByRole('textbox', { name: 'Message' }).fill('Tea at four');
  await form.getByRole('button', { name: 'Run now' }).click();
  const card = page.getByRole('group', { name: 'Approval needed' });
  await card.getByText('Tea at four').waitFor();
  await expect.poll(() => allStatuses(page)).toEqual(['completed', 'awaiting_approval', 'pending']);
  await picture('flows-asks');
  await page.reload();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await card.getByRole('button', { name: 'Allow once' }).click();
  await stepOf(page, 'Ask to confirm').getByText('Completed').waitFor();
  // The next step also asks for approval, because it sends.
  await card.waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await detailsIn(page).getByText('Cancelled', { exact: true }).first().waitFor();
  const [run] = await client.call(api.agent.runs);
  expect(run).toMatchObject({ status: 'cancelled' });
});

test('another version is compared with the current one, and an earlier one is restored', async () => {
  const { page, client } = await openWorkflows();
  await newWorkflow(page);
  await paletteIn(page).getByRole('button', { name: 'Wait', exact: true }).click();
  await isSaved(page);
  const [mine] = await client.call(workflows.list);
  const params = { workflowId: mine?.id ?? '' };
  const change = { name: 'Theirs' };
  await client.call(workflows.update, { params, body: change });
  await page.getByRole('textbox', { name: 'Workflow name' }).fill('Mine');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('"name": "Theirs"').waitFor();
  await picture('flows-conflict');
  await dialog.getByRole('button', { name: 'Keep yours' }).click();
  await isSaved(page);
  expect((await client.call(workflows.show, { params })).name).toBe('Mine');

  await client.call(workflows.update, { params, body: change });
  await paletteIn(page).getByRole('button', { name: 'Wait', exact: true }).click();
  await dialog.getByRole('button', { name: 'Use the saved version' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Workflow name' }).inputValue())
    .toBe('Theirs');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await detailsIn(page)
    .getByRole('button', { name: /^Restore version 1$/ })
    .click();
  await expect.poll(() => nodesIn(page).count()).toBe(0);
  await picture('flows-versions');
});

test("steps and inputs are chosen from lists of a plugin, and a plugin's step runs [WORKFLOW-13]", async () => {
  const { page, client } = await openWorkflows();
  await upload({ client }, await packWeather());
  const where = { title: 'Where', 'x-host-enum': { tool: 'cities', value: 'id', label: 'name' } };
  const { id } = await client.call(workflows.create, {
    body: {
      name: 'Weather',
      draft: true,
      graph: { nodes: [], edges: [] },
      inputSchema: { type: 'object', properties: { where } },
    },
  });
  await page.reload();
  await page.locator('.row', { hasText: 'Weather' }).filter({ hasText: 'Draft' }).click();
  await paletteIn(page).getByRole('button', { name: 'Weather' }).click();
  const details = detailsIn(page);
  await details.getByRole('combobox', { name: 'City' }).click();
  await page.getByRole('option', { name: 'Kyoto' }).click();
  await isSaved(page);
  const { plan } = await client.call(workflows.show, { params: { workflowId: id } });
  expect(plan.steps[0]?.arguments).toEqual({ city: 8 });
  await details.getByRole('button', { name: 'Insert a value into City' }).click();
  await page.getByRole('menuitem', { name: 'where' }).click();
  await isSaved(page);
  await details.getByRole('tab', { name: 'Run' }).click();
  await details.getByRole('combobox', { name: 'Where' }).click();
  await page.getByRole('option', { name: 'Bonn' }).click();
  await details.getByRole('button', { name: 'Run now' }).click();
  await expect.poll(() => statuses(page, 'completed')).toBe(1);
  await picture('flows-plugin');
  await details.getByRole('list', { name: 'Run steps' }).getByText('Weather').click();
  await details.getByText('Sunny in 7').waitFor();
});

test('workflows are searched, copied, exported, imported, and removed after a question', async () => {
  const { page, client } = await openWorkflows();
  await page.getByRole('button', { name: /^Remind me later/ }).click();
  await stepOf(page, 'Wait').waitFor();
  const more = page.getByRole('button', { name: 'More actions' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const list = page.getByRole('complementary', { name: 'Workflows' });
  const row = (name: string) => list.locator('.row', { hasText: name });
  await row('Remind me later (copy)').waitFor();
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Workflow name' }).inputValue())
    .toBe('Remind me later (copy)');
  await more.click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  const file = await (await downloading).path();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    name: 'Remind me later (copy)',
  });

  await more.click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete workflow' }).click();
  await expect.poll(() => list.locator('.row').count()).toBe(1);
  await page.getByRole('textbox', { name: 'Search workflows' }).fill('nothing like this');
  await page.getByText('No workflows match').waitFor();
  await page.getByRole('textbox', { name: 'Search workflows' }).fill('');

  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('main').getByRole('button', { name: 'Import from file…' }).click();
  await (
    await choosing
  ).setFiles({
    name: 'flow.json',
    mimeType: 'application/json',
    buffer: await readFile(file),
  });
  await row('Remind me later (copy)').waitFor();
  await stepOf(page, 'Wait').waitFor();
  expect(await client.call(workflows.list)).toHaveLength(2);
});

for (const theme of ['light', 'dark'] as const)
  test(`workflows have no serious accessibility violations, ${theme}`, async () => {
    const { page, client } = await openWorkflows();
    await client.call(api.settings.put, { body: { theme } });
    await page.reload();
    await page.getByRole('button', { name: /Watch a web address/ }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await picture(`flows-begin-${theme}`);
    await page.getByRole('button', { name: /Watch a web address/ }).click();
    await stepOf(page, 'Condition').click();
    await detailsIn(page).getByText('Run only if a condition is met').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await picture(`flows-${theme}`);
    await page.setViewportSize({ width: 700, height: 800 });
    await picture(`flows-narrow-${theme}`);
    await client.call(api.settings.put, { body: { language: 'zh-CN' } });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    await page.getByRole('button', { name: '运行', exact: true }).click();
    await page.getByRole('form', { name: '运行输入' }).waitFor();
    await picture(`flows-chinese-${theme}`);
    expect(await seriousViolations(page)).toEqual([]);
  });
