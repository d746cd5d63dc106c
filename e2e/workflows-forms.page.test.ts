import type { Locator } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import { detailsIn, isSaved, paletteIn, statuses, stepOf } from './workflow-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([404, 409, 422]);
const { picture } = pages;
const { workflows } = api;

const worker = `
import { createInterface } from 'node:readline';
const tables = { 'a.csv': ['Name', 'Age'], 'b.csv': ['City'] };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = {
    look: () => ({ columns: tables[params.file] ?? [], rows: 3 }),
    tags: () => ['red', 'green', 'blue'],
    places: () => ({ DE: ['Bonn', 'Jena'], JP: ['Kyoto'] })[params.country] ?? [],
    tell: () => ({ said: params }),
  }[method]?.() ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;
const input = (name: string, widget: string, more = {}) => ({ name, label: name, widget, ...more });
const manifest = {
  id: 'com.example.tables',
  name: 'Tables',
  worker: { runtime: 'node' },
  permissions: ['files.read'],
  methods: { look: {}, tags: {}, places: {}, tell: {} },
  aiTools: [
    {
      name: 'table',
      method: 'tell',
      description: 'Tells.',
      effect: 'read',
      inputSchema: { type: 'object' },
    },
  ],
  flowNodes: [
    {
      type: 'table',
      tool: 'table',
      label: 'Table',
      inputs: [
        input('file', 'text', { required: true }),
        input('limit', 'number'),
        input('header', 'switch'),
        input('order', 'select', { options: [{ value: 'up', label: 'Upwards' }] }),
        input('tags', 'select', { source: { method: 'tags', multiple: true } }),
        input('note', 'textarea'),
        input('filter', 'json'),
        input('content', 'analyze', { context: { from: 'file', method: 'look' } }),
        input('column', 'select', { optionsFromContext: 'content.columns' }),
        input('names', 'rows'),
      ],
      outputs: [{ name: 'said', label: 'Said', path: 'said' }],
    },
    {
      type: 'trip',
      tool: 'table',
      label: 'Trip',
      inputs: [
        input('country', 'text'),
        input('place', 'select', {
          source: { method: 'places', params: { country: '{{inputs.country}}' } },
        }),
      ],
      outputs: [],
    },
  ],
};
const packTables = () =>
  packPlugin({
    manifest,
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': worker },
  });

async function openTables(inputSchema: Record<string, unknown> = { type: 'object' }) {
  const page = pages.page();
  const host = await pages.hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await upload({ client }, await packTables());
  const { id } = await client.call(workflows.create, {
    body: { name: 'Tables', draft: true, graph: { nodes: [], edges: [] }, inputSchema },
  });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Workflows', exact: true }).click();
  await page.locator('.row', { hasText: 'Tables' }).filter({ hasText: 'Draft' }).click();
  await paletteIn(page).getByRole('button', { name: 'Table', exact: true }).click();
  return { page, client, params: { workflowId: id }, details: detailsIn(page) };
}

const named = (details: Locator, name: string): Locator =>
  details.getByRole('textbox', { name, exact: true });

async function boundsOf(part: Locator) {
  const bounds = await part.boundingBox();
  if (!bounds) throw new Error('It is not seen.');
  return bounds;
}

test('every widget of a step has its editor, and lists are loaded from every kind of source', async () => {
  const { page, client, params, details } = await openTables();
  const content = details.getByRole('group', { name: 'content' });
  await content.getByText('Fill in “file” first').waitFor();
  expect(await content.getByRole('button', { name: 'Analyze' }).isDisabled()).toBe(true);
  await named(details, 'file').fill('a.csv');
  await named(details, 'limit').fill('7');
  await details.getByRole('switch', { name: 'header' }).click();
  await details.getByRole('combobox', { name: 'order' }).click();
  await page.getByRole('option', { name: 'Upwards' }).click();
  await details.getByRole('combobox', { name: 'tags' }).click();
  for (const name of ['red', 'blue']) await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await named(details, 'note').fill('two\nlines');
  await named(details, 'filter').fill('{"age": {"over": 3}}');
  await content.getByRole('button', { name: 'Analyze' }).click();
  await content.getByText('Name, Age').waitFor();
  await details.getByRole('combobox', { name: 'column' }).click();
  await page.getByRole('option', { name: 'Age' }).click();
  const names = details.getByRole('group', { name: 'names' });
  await names.getByRole('button', { name: 'Add row' }).click();
  await names.getByRole('textbox', { name: 'name in row 1' }).fill('first');
  await names.getByRole('button', { name: 'Add column' }).click();
  await names.getByRole('textbox', { name: 'Column name' }).fill('unit');
  await page.keyboard.press('Enter');
  await names.getByRole('textbox', { name: 'unit in row 1' }).fill('m');
  await isSaved(page);
  const args = {
    file: 'a.csv',
    limit: 7,
    header: true,
    order: 'up',
    tags: ['red', 'blue'],
    note: 'two\nlines',
    filter: { age: { over: 3 } },
    column: 'Age',
    content: { columns: ['Name', 'Age'], rows: 3 },
    names: [{ name: 'first', value: '', unit: 'm' }],
  };
  const stored = async () => (await client.call(workflows.show, { params })).plan.steps[0];
  await expect.poll(async () => (await stored())?.arguments).toEqual(args);
  await content.scrollIntoViewIfNeeded();
  await picture('flows-widgets');
  expect(await seriousViolations(page)).toEqual([]);

  // The suggestions belong to the previous value.
  await named(details, 'file').fill('b.csv');
  await content.getByText('“file” has changed').waitFor();
  await content.getByRole('button', { name: 'Analyze again' }).click();
  await content.getByText('City', { exact: true }).waitFor();
  await names.getByRole('button', { name: 'Show as JSON' }).click();
  await named(names, 'names').fill('[{"any": [1]}]');
  await expect.poll(async () => (await stored())?.arguments['names']).toEqual([{ any: [1] }]);

  // In a narrow window the canvas is above the editor.
  await page.setViewportSize({ width: 700, height: 800 });
  await expect.poll(() => stepOf(page, 'Table').isVisible()).toBe(true);
  const form = await boundsOf(details);
  const canvas = await boundsOf(page.locator('.flow-canvas'));
  expect(canvas.y + canvas.height).toBeLessThanOrEqual(form.y + 1);
  expect(form.width).toBeGreaterThan(500);
  const more = await boundsOf(page.getByRole('button', { name: 'More actions' }));
  expect(more.x + more.width).toBeLessThanOrEqual(700);
  await named(details, 'file').fill('c.csv');
  await expect.poll(async () => (await stored())?.arguments['file']).toBe('c.csv');
  await picture('flows-narrow');
  expect(await seriousViolations(page)).toEqual([]);
});

test('a choice shows what to fill in first, and its plugin is not asked until then', async () => {
  const { page, details } = await openTables({
    type: 'object',
    properties: { country: { type: 'string' } },
  });
  await details.getByText('Fill in file first to see the options.').waitFor();
  await named(details, 'file').fill('{{inputs.country}}');
  await details.getByText('The options depend on file, which is only known when').waitFor();

  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (!/\/nodes\/.+\/options$/.test(request.url())) return;
    const body = request.postDataJSON() as { input: string };
    // The previous step's list depends on no other input.
    if (body.input === 'place') asked.push(body);
  });
  await paletteIn(page).getByRole('button', { name: 'Trip', exact: true }).click();
  const cityField = details.getByRole('combobox', { name: 'place' });
  await details.getByText('Fill in country first to see the options.').waitFor();
  await cityField.click();
  await page.getByText('No options').waitFor();
  await page.keyboard.press('Escape');
  await named(details, 'country').fill('{{inputs.country}}');
  await details.getByText('The options depend on country, which is only known when').waitFor();
  await isSaved(page);
  expect(asked).toEqual([]);
  await named(details, 'country').fill('DE');
  await cityField.click();
  await page.getByRole('option', { name: 'Jena' }).click();
  expect(await details.getByText('first to see the options').count()).toBe(0);
  expect(asked.at(-1)).toEqual({ input: 'place', values: { country: 'DE' } });
  await named(details, 'country').fill('');
  await details.getByText('Fill in country first to see the options.').waitFor();
  expect(await cityField.inputValue()).toBe('Jena');
});

test('a run asks for files, choices and values of any shape', async () => {
  const { page, client, params, details } = await openTables({
    type: 'object',
    required: ['paper', 'size'],
    properties: {
      paper: { type: 'string', format: 'host-file', description: 'One file.' },
      pages: { type: 'array', items: { type: 'string', format: 'host-file' } },
      place: { 'x-host-auto': 'shared-directory' },
      size: { enum: [1, 2], title: 'Size' },
      shape: { type: 'object', description: 'Any JSON.' },
      loud: { type: 'boolean', default: true },
    },
  });
  await named(details, 'file').fill('{{inputs.paper}}');
  await details.getByRole('group', { name: 'content' }).getByText('only known when').waitFor();
  await named(details, 'filter').fill('{{inputs.shape}}');
  await isSaved(page);
  await details.getByRole('tab', { name: 'Run' }).click();
  const form = page.getByRole('form', { name: 'Run inputs' });
  expect(await form.getByText('place').count()).toBe(0);
  const choose = async (name: string, files: readonly string[]): Promise<void> => {
    const choosing = page.waitForEvent('filechooser');
    await form
      .getByRole('group', { name })
      .getByRole('button', { name: /^Choose/ })
      .click();
    const chosen = files.map((file) => ({
      name: file,
      mimeType: 'text/plain',
      buffer: Buffer.from(file),
    }));
    await (await choosing).setFiles(chosen);
    for (const file of files) await form.getByText(file, { exact: true }).waitFor();
  };
  await form.getByRole('button', { name: 'Run now' }).click();
  await form
    .getByText(/required/)
    .first()
    .waitFor();
  await choose('paper', ['paper.txt']);
  await choose('pages', ['one.txt', 'two.txt']);
  await form.getByRole('button', { name: 'Remove one.txt' }).click();
  await form.getByRole('combobox', { name: 'Size' }).click();
  await page.getByRole('option', { name: '2' }).click();
  await named(form, 'shape').fill('{"sides": 4}');
  await picture('flows-run-form');
  expect(await seriousViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Run now' }).click();
  await expect.poll(() => statuses(page, 'completed')).toBe(1);
  const [run] = await client.call(api.agent.runs);
  const { executions } = await client.call(api.agent.show, { params: { runId: run?.runId ?? '' } });
  expect(executions).toMatchObject([
    { result: { said: { filter: { sides: 4 }, file: expect.anything() as unknown } } },
  ]);
  expect((await client.call(workflows.show, { params })).plan.steps).toHaveLength(1);
});
