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

test.describe('a file that a page asks for', () => {
  test('is chosen in a dialog that names the plugin, and the page gets the whole reference', async () => {
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

  test('is asked for with the keyboard alone, and the focus goes back to the page', async () => {
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

  test('is not handed over when the user says no', async () => {
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

  test('shows how far the copy is, and can be cancelled in the middle', async () => {
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

  test('is chosen again when the first one could not be taken', async () => {
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

  test('is asked for one after the other', async () => {
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

  test('is asked for only while the user looks at the plugin', async () => {
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

  test('is no longer asked for when the page is loaded again or closed', async () => {
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

  test('can be refused for good by a user who is asked again and again', async () => {
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

test.describe('a folder that a page asks for', () => {
  test('comes with all that lies in it, as a copy that may be changed', async () => {
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

test.describe('what a page may not have', () => {
  test('is refused without asking anybody', async () => {
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

  test('is refused by the host, whose word reaches the page', async () => {
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

  test('is a file to write to, as a browser hands over copies', async () => {
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

test.describe('the chooser of a desktop', () => {
  test('is used where there is one, and grants the file where it is', async () => {
    const { page, frame, service } = await openPlugin();
    await page.evaluate(() => {
      const pickPath = (wish: unknown) =>
        Promise.resolve(`/home/someone/${JSON.stringify(wish).length}`);
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
