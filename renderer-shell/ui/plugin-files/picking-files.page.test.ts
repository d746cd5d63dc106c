import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import type { FakeHost } from '../../testing/fake-host.ts';
import { addPage, callFromPage, showPlugin } from '../../testing/plugin-page.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

const both = ['files.read', 'files.write'];
const folders: string[] = [];
test.afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Opens the shell at the page of the plugin `a`. */
async function openPlugin(permissions = both, prepare: (host: FakeHost) => void = () => undefined) {
  const shell = await open((host) => {
    addPage(host, 'a', { permissions });
    prepare(host);
  });
  return { ...shell, shell, frame: await showPlugin(shell, 'a') };
}

const textFile = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

async function choose(page: Page, files: Parameters<Page['setInputFiles']>[1], button: string) {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles(files);
}

const noDialog = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });
const cancelled = { code: -32002, message: 'The user cancelled. Nothing was handed over.' };

test.describe('a file that a page requests', () => {
  test('is chosen in a dialog that names the plugin, and the page receives the complete reference', async () => {
    const { page, frame, service } = await openPlugin();
    const outcome = await callFromPage(frame, 'pickFile');
    const dialog = page.getByRole('dialog', { name: 'a requests a file' });
    await dialog.getByText('The plugin gets a read-only copy of the file you choose.').waitFor();
    expect(await outcome()).toBe(null);
    await choose(page, [textFile('notes.txt', 'seven words')], 'Choose file');
    await expect.poll(outcome).toMatchObject({
      result: { name: 'notes.txt', kind: 'file', access: 'read', size: 11 },
    });
    expect(await outcome()).toEqual({ result: service.host.grants.get('a')?.[0] });
    expect(service.host.uploads).toEqual([{ 'notes.txt': 'seven words' }]);
    await noDialog(page);
  });

  test('can be chosen with the keyboard only, and the focus returns to the page', async () => {
    const { page, frame } = await openPlugin();
    await frame.evaluate(() => {
      document.body.innerHTML = '<button>own</button>';
    });
    await frame.getByRole('button', { name: 'own' }).click();
    const choosing = page.waitForEvent('filechooser');
    const outcome = await callFromPage(frame, 'pickFile');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Choose file');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles([textFile('a.txt', 'a')]);
    await expect.poll(outcome).toMatchObject({ result: { name: 'a.txt' } });
    await noDialog(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
  });

  test('is not shared when the user declines', async () => {
    const { page, frame, service } = await openPlugin();
    for (const refuse of [
      () => page.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      const outcome = await callFromPage(frame, 'pickFile');
      await page.getByRole('button', { name: 'Choose file' }).waitFor();
      await refuse();
      await expect.poll(outcome).toEqual(cancelled);
      await noDialog(page);
    }
    expect(service.host.uploads).toEqual([]);
  });

  test('shows the progress of the copy, and can be cancelled', async () => {
    const gate = Promise.withResolvers<void>();
    const { page, frame } = await openPlugin(both, (host) => {
      host.holdUploads = gate.promise;
    });
    const outcome = await callFromPage(frame, 'pickFile');
    await choose(page, [textFile('large.bin', 'x'.repeat(3_000_000))], 'Choose file');
    const bar = page.getByRole('progressbar', { name: 'Copying…' });
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('100');
    await page.getByText('3 MB of 3 MB', { exact: true }).waitFor();
    const dropped = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/files/upload'),
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dropped;
    await expect.poll(outcome).toEqual(cancelled);
    await noDialog(page);
    gate.resolve();
  });

  test('can be chosen again after an error', async () => {
    const { page, frame, service } = await openPlugin(both, (host) => {
      host.uploadProblem = {
        status: 507,
        code: 'disk_full',
        detail: 'The disk is full. Free some space.',
      };
    });
    const outcome = await callFromPage(frame, 'pickFile');
    await choose(page, [textFile('a.txt', 'a')], 'Choose file');
    await page.getByRole('alert').getByText('The disk is full. Free some space.').waitFor();
    service.host.uploadProblem = null;
    await choose(page, [textFile('b.txt', 'b')], 'Choose file');
    await expect.poll(outcome).toMatchObject({ result: { name: 'b.txt' } });
  });

  test('is requested one after the other', async () => {
    const { page, frame } = await openPlugin();
    const first = await callFromPage(frame, 'pickFile');
    const second = await callFromPage(frame, 'pickDirectory');
    await page.getByRole('dialog', { name: 'a requests a file' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'a requests a folder' }).waitFor();
    await expect.poll(first).toEqual(cancelled);
    expect(await second()).toBe(null);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Choose folder');
  });

  test('is requested only while the plugin is visible', async () => {
    const { page, shell, frame } = await openPlugin(both, (host) => addPage(host, 'b'));
    await showPlugin(shell, 'b');
    const outcome = await callFromPage(frame, 'pickFile');
    await page.getByRole('heading', { name: 'b', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await showPlugin(shell, 'a');
    await page.getByRole('dialog', { name: 'a requests a file' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(outcome).toEqual(cancelled);
  });

  test('is no longer requested after the page is reloaded or closed', async () => {
    const { page, frame, service } = await openPlugin();
    await callFromPage(frame, 'pickFile');
    await page.getByRole('dialog').waitFor();
    await frame.evaluate(() => location.reload());
    await noDialog(page);
    await page.frameLocator('iframe').getByText('page').waitFor();
    await callFromPage(frame, 'pickFile');
    await page.getByRole('dialog').waitFor();
    service.host.plugins.get('a')!.enabled = false;
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await noDialog(page);
  });

  test('can be refused until the next load after repeated requests', async () => {
    const { page, frame } = await openPlugin();
    const silence = page.getByRole('button', { name: 'Block further requests from this page' });
    for (let round = 0; round < 2; round += 1) {
      await callFromPage(frame, 'pickFile');
      await page.getByRole('button', { name: 'Choose file' }).waitFor();
      expect(await silence.count()).toBe(0);
      await page.keyboard.press('Escape');
      await noDialog(page);
    }
    const third = await callFromPage(frame, 'pickFile');
    await silence.click();
    await expect.poll(third).toEqual(cancelled);
    const fourth = await callFromPage(frame, 'pickFile');
    await expect.poll(fourth).toMatchObject({
      code: -32002,
      message: 'The user lets this page ask for nothing until it is loaded again.',
    });
  });
});

test.describe('a folder that a page requests', () => {
  test('is shared with its content, as a writable copy', async () => {
    const { page, frame, service } = await openPlugin();
    const folder = await mkdtemp(join(tmpdir(), 'picked-'));
    folders.push(folder);
    const project = join(folder, 'project');
    await mkdir(join(project, 'deep'), { recursive: true });
    await writeFile(join(project, 'a.txt'), 'one');
    await writeFile(join(project, 'deep', 'ä b.txt'), 'two');
    const outcome = await callFromPage(frame, 'pickDirectory', { access: 'read-write' });
    await page.getByText('and can change the copy. Your folder is not changed.').waitFor();
    await choose(page, project, 'Choose folder');
    await expect
      .poll(outcome)
      .toMatchObject({ result: { name: 'project', kind: 'directory', access: 'read-write' } });
    expect(service.host.uploads).toEqual([
      { 'project/a.txt': 'one', 'project/deep/ä b.txt': 'two' },
    ]);
  });
});

test.describe('a file that a page is not permitted to use', () => {
  test('is refused without asking the user', async () => {
    const { page, frame } = await openPlugin(['notifications']);
    for (const [method, lacking] of [
      ['pickFile', 'files.read'],
      ['pickDirectory', 'files.read'],
    ] as const) {
      const outcome = await callFromPage(frame, method);
      await expect.poll(outcome).toEqual({
        code: -32000,
        message: `The plugin does not have the permission ${lacking}.`,
        data: { code: 'missing_permission', status: 403 },
      });
    }
    const output = await callFromPage(frame, 'createOutput');
    await expect
      .poll(output)
      .toMatchObject({ code: -32000, data: { code: 'missing_permission', status: 403 } });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('is refused by the host, and the page receives the error', async () => {
    const { page, frame } = await openPlugin(both, (host) => {
      host.uploadProblem = {
        status: 403,
        code: 'missing_permission',
        detail: 'a does not have the permission files.read.',
      };
    });
    const outcome = await callFromPage(frame, 'pickFile');
    await choose(page, [textFile('a.txt', 'a')], 'Choose file');
    await expect.poll(outcome).toEqual({
      code: -32000,
      message: 'a does not have the permission files.read.',
      data: { code: 'missing_permission', status: 403 },
    });
    await noDialog(page);
  });

  test('is a writable file in a browser, which only provides copies', async () => {
    const { page, frame } = await openPlugin();
    const file = await callFromPage(frame, 'pickFile', { access: 'read-write' });
    await expect
      .poll(file)
      .toEqual({ code: -32601, message: 'This host cannot grant your file to be changed.' });
    const wrong = await callFromPage(frame, 'pickFile', { access: 'all' });
    await expect.poll(wrong).toMatchObject({ code: -32602 });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test.describe('the file chooser of the desktop', () => {
  test('is used if available, and grants the original file', async () => {
    const { page, frame, service } = await openPlugin();
    await page.evaluate(() => {
      const pickPath = (options: unknown) =>
        Promise.resolve(`/home/someone/${JSON.stringify(options).length}`);
      Object.assign(window, { hostBridge: { pickPath } });
    });
    const outcome = await callFromPage(frame, 'pickFile', { access: 'read-write' });
    await page.getByText('The plugin can read and change the file you choose').waitFor();
    await page.getByRole('button', { name: 'Choose file' }).click();
    await expect.poll(outcome).toMatchObject({ result: { kind: 'file', access: 'read-write' } });
    expect(service.requests).toContain('POST /api/plugin-runtime/a/files/native');
    expect(service.host.uploads).toEqual([]);
  });
});
