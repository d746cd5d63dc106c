import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages();

const id = 'com.example.files';

const worker = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const methods = {
  read: ({ file }) => readFileSync(file, 'utf8'),
  list: ({ folder }) => readdirSync(folder, { recursive: true }).sort(),
  report: ({ output, text }) => { writeFileSync(output + '/report.txt', text); return 'written'; },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = method === 'host.initialize' ? {} : methods[method](params);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

const script = `
const show = (value) => { document.querySelector('output').textContent = JSON.stringify(value); };
const on = (id, work) => document.getElementById(id).addEventListener('click', () =>
  work().then(show, ({ code, message }) => show({ code, message })));
for (const button of document.querySelectorAll('button')) button.disabled = false;
on('file', async () => {
  const file = await PluginClient.pickFile();
  return { file, text: await PluginClient.invoke('read', { file }) };
});
on('folder', async () => {
  const folder = await PluginClient.pickDirectory();
  return { folder, names: await PluginClient.invoke('list', { folder }) };
});
on('report', async () => {
  const output = await PluginClient.createOutput('report');
  await PluginClient.invoke('report', { output, text: 'ten words' });
  await PluginClient.exportOutput(output);
  return 'saved';
});
`;

const pageOfPlugin = `<!doctype html>
<title>Files</title>
<script src="_host/plugin-client.js"></script>
<script src="page.js" defer></script>
<button id="file" disabled>Read a file</button>
<button id="folder" disabled>List a folder</button>
<button id="report" disabled>Make a report</button>
<output></output>`;

async function packFiles(permissions: string[]): Promise<Buffer> {
  return packPlugin({
    manifest: {
      id,
      name: 'Files',
      permissions,
      worker: { runtime: 'node' },
      methods: { read: {}, list: {}, report: {} },
    },
    files: {
      'backend/worker.jar': null,
      'backend/worker.mjs': worker,
      'ui/index.html': pageOfPlugin,
      'ui/page.js': script,
    },
  });
}

/** Starts a host with the plugin and opens its page in the shell. */
async function openPlugin(permissions: string[]) {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await upload({ client }, await packFiles(permissions));
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: /^Files/ }).click();
  const frame = page.frameLocator('iframe[title="Files page"]');
  const readOutput = async (): Promise<unknown> => {
    const outputText = await frame.locator('output').textContent();
    return outputText ? (JSON.parse(outputText) as unknown) : null;
  };
  return { page, client, frame, shown: readOutput };
}

async function choose(page: Page, button: string, path: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles(path);
}

test('a file and a folder of the user reach the worker, and its output reaches the user [GRANT-07]', async () => {
  const {
    page,
    client,
    frame,
    shown: readOutput,
  } = await openPlugin(['files.read', 'files.write']);
  const folder = join(await hosts.makeFolder(), 'papers');
  await mkdir(join(folder, 'deep'), { recursive: true });
  const paper = join(folder, 'paper.txt');
  await writeFile(paper, 'what the paper says');
  await writeFile(join(folder, 'deep', 'other.txt'), 'other');

  await frame.getByRole('button', { name: 'Read a file' }).click();
  await page.getByRole('dialog', { name: 'Files requests a file' }).waitFor();
  await picture('files-asked');
  await choose(page, 'Choose file', paper);
  await expect.poll(readOutput).toMatchObject({ text: 'what the paper says' });
  const [file] = await client.call(api.files.list, { params: { id } });
  expect(await readOutput()).toMatchObject({ file });

  await frame.getByRole('button', { name: 'List a folder' }).click();
  await choose(page, 'Choose folder', folder);
  await expect.poll(readOutput).toMatchObject({
    folder: { name: 'papers', kind: 'directory', access: 'read' },
    names: ['deep', 'deep/other.txt', 'paper.txt'],
  });

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'About this plugin' }).click();
  const granted = page.getByRole('list', { name: 'Accessible files' });
  await granted.getByRole('listitem').filter({ hasText: 'paper.txt' }).getByText('read').waitFor();
  await granted.getByRole('listitem').filter({ hasText: 'papers' }).getByText('Folder').waitFor();
  await picture('files-granted');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await frame.getByRole('button', { name: 'Make a report' }).click();
  await page.getByText('The plugin wants to save the file report.txt.').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('report.txt');
  expect(await readFile(await download.path(), 'utf8')).toBe('ten words');
  await expect.poll(readOutput).toBe('saved');
});

test('a page without the permission gets an error, and nobody is asked', async () => {
  const { page, frame, shown: readOutput } = await openPlugin(['files.write']);
  await frame.getByRole('button', { name: 'Read a file' }).click();
  await expect.poll(readOutput).toEqual({
    code: -32000,
    message: 'The plugin does not have the permission files.read.',
  });
  expect(await page.getByRole('dialog').count()).toBe(0);
});
