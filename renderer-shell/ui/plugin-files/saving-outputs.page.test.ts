import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import type { FileRef } from '../../../service/contract/index.ts';
import type { FakeHost } from '../../testing/fake-host.ts';
import type { OpenShell } from '../../testing/shell-browser.ts';
import { addPage, callFromPage, showPlugin } from '../../testing/plugin-page.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

/** Opens the shell at the page of the plugin `a`, which has produced an output. */
async function openWithOutput(prepare: (host: FakeHost) => void = () => undefined) {
  const shell = await open((host) => {
    addPage(host, 'a', { permissions: ['files.write'] });
    prepare(host);
  });
  const frame = await showPlugin(shell, 'a');
  const ref = await frame.evaluate(() => PluginClient.createOutput('report'));
  return { ...shell, frame, ref };
}

/** Simulates a browser that cannot stream to files. */
const withoutFiles = ({ page }: Pick<OpenShell, 'page'>) =>
  page.evaluate(() => {
    delete (window as unknown as Record<string, unknown>)['showSaveFilePicker'];
  });

/**
 * Replaces the file picker of the browser by one with a fixed file, since a test cannot choose one.
 */
const withFile = ({ page }: Pick<OpenShell, 'page'>) =>
  page.evaluate(() => {
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) => {
      Object.assign(window, { suggestedName });
      const root = await navigator.storage.getDirectory();
      return root.getFileHandle('saved', { create: true });
    };
    Object.assign(window, { showSaveFilePicker });
  });

const saved = ({ page }: Pick<OpenShell, 'page'>) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    return (await (await root.getFileHandle('saved')).getFile()).text();
  });

test.describe('an output that a page offers to the user', () => {
  test('is created by the host as an empty directory with the requested name', async () => {
    const { ref, service } = await openWithOutput();
    expect(ref).toEqual(service.host.grants.get('a')?.[0]);
    expect(ref).toMatchObject({ name: 'report', kind: 'directory', access: 'write' });
  });

  test('is downloaded after confirmation, without the token in any address', async () => {
    const opened = await openWithOutput((host) => void (host.exported = 'the whole report'));
    const { page, frame, ref, service } = opened;
    await withoutFiles(opened);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const outcome = await callFromPage(frame, 'exportOutput', ref);
    const dialog = page.getByRole('dialog', { name: 'a wants to save a file' });
    await dialog.getByText('The plugin wants to save a folder as report.zip.').waitFor();
    await dialog.getByText('This browser can save up to 1 GB at once.').waitFor();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('report.zip');
    expect(await readFile(await download.path(), 'utf8')).toBe('the whole report');
    await expect.poll(outcome).toEqual({});
    expect(addresses.join('\n')).toContain(`/files/export/${ref.id}`);
    expect(addresses.join('\n')).not.toContain(service.host.token);
  });

  test('is offered as a single file if it has only one, and lists what cannot be packed', async () => {
    const { page, frame, ref } = await openWithOutput();
    const previews: Record<string, string>[] = [
      {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.txt",
      },
      {
        'Content-Type': 'application/zip',
        'Content-Disposition': "attachment; filename*=UTF-8''report.zip",
        'X-Host-Left-Out': encodeURIComponent(JSON.stringify(['..\\a.txt', 'ü'])),
      },
    ];
    await page.route('**/files/export/**', (route) =>
      route.request().method() === 'HEAD'
        ? route.fulfill({ headers: previews.shift() ?? {} })
        : route.continue(),
    );
    await callFromPage(frame, 'exportOutput', ref);
    const dialog = page.getByRole('dialog', { name: 'a wants to save a file' });
    await dialog.getByText('The plugin wants to save the file résumé.txt.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await callFromPage(frame, 'exportOutput', ref);
    await dialog.getByText('save a folder as report.zip').waitFor();
    await dialog.getByText('These files cannot be packed and are skipped: ..\\a.txt, ü').waitFor();
  });

  test('is streamed to disk if the browser supports it', async () => {
    const large = 'x'.repeat(5_000_000);
    const opened = await openWithOutput((host) => void (host.exported = large));
    const { page, frame, ref } = opened;
    await withFile(opened);
    const outcome = await callFromPage(frame, 'exportOutput', ref);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(outcome).toEqual({});
    expect((await saved(opened)).length).toBe(large.length);
    expect(
      await page.evaluate(() => (window as unknown as { suggestedName: string }).suggestedName),
    ).toBe('report.zip');
  });

  test('stays on the host when the user declines', async () => {
    const { page, frame, ref, service } = await openWithOutput();
    const outcome = await callFromPage(frame, 'exportOutput', ref);
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(outcome).toMatchObject({ code: -32002 });
    const exported = service.requests.filter((request) => request.includes('/export/'));
    expect(exported.filter((request) => !request.startsWith('HEAD '))).toEqual([]);
  });

  test('stays open when the chooser is closed', async () => {
    const { page, frame, ref } = await openWithOutput();
    await page.evaluate(() => {
      const showSaveFilePicker = () => Promise.reject(new DOMException('no', 'AbortError'));
      Object.assign(window, { showSaveFilePicker });
    });
    const outcome = await callFromPage(frame, 'exportOutput', ref);
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await save.waitFor();
    expect(await outcome()).toBe(null);
  });

  test('is not reported as saved on a desktop that cannot save files', async () => {
    const { page, frame, ref } = await openWithOutput();
    await page.evaluate(() => {
      const chooseSave = () => Promise.reject(new Error('The disk is full.'));
      Object.assign(window, { hostBridge: { chooseSave } });
    });
    const outcome = await callFromPage(frame, 'exportOutput', ref);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('cannot save plugin files').waitFor();
    expect(await outcome()).toBe(null);
    await page.keyboard.press('Escape');
    await expect.poll(outcome).toMatchObject({ code: -32002 });
  });

  test('is named by the host instead of the page', async () => {
    const { page, frame, ref } = await openWithOutput();
    const forged: FileRef = { ...ref, name: 'setup.exe', kind: 'file' };
    await callFromPage(frame, 'exportOutput', forged);
    await page.getByText('save a folder as report.zip').waitFor();
  });

  test('must belong to the plugin and be complete', async () => {
    const { page, frame, ref } = await openWithOutput();
    const unknown = await callFromPage(frame, 'exportOutput', {
      ...ref,
      id: 'ref_of_somebody_else',
    });
    await expect
      .poll(unknown)
      .toMatchObject({ code: -32000, data: { code: 'unknown_grant', status: 404 } });
    const partial = await callFromPage(frame, 'exportOutput', { id: ref.id });
    await expect.poll(partial).toMatchObject({ code: -32602 });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
