import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { addPlugin, makeInspection, makeLog, makeNotification } from '../../testing/fake-host.ts';
import type { OpenShell } from '../../testing/shell-browser.ts';
import { ShellBrowser } from '../../testing/shell-browser.ts';
import { xssCorpus } from '../../testing/xss-corpus.ts';

let browser: ShellBrowser;
let current: OpenShell;
beforeAll(async () => {
  browser = await ShellBrowser.start();
});
afterEach(async () => {
  expect(current.faults).toEqual([]);
  expect(await current.page.evaluate(() => 'hacked' in window)).toBe(false);
  await browser.closePages();
});
afterAll(() => browser.stop());

async function open(prepare: (host: OpenShell['service']['host']) => void): Promise<OpenShell> {
  current = await browser.open();
  prepare(current.service.host);
  await current.page.goto(current.service.ticketUrl());
  await current.page.getByRole('navigation').waitFor();
  return current;
}

const words = 'com.example.words';
const packageFile = (name: string) => ({
  name,
  mimeType: 'application/zip',
  buffer: Buffer.from('package'),
});

async function choosePackage(page: Page, ...names: string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Install from a file' }).first().click();
  await (await choosing).setFiles(names.map(packageFile));
}

describe('installing from a file', () => {
  it('shows what the package is and may do, then installs and opens it', async () => {
    const { page, service } = await open((host) => {
      host.packages.set('words.plugin', makeInspection({ permissions: ['files.read', 'network'] }));
    });
    await choosePackage(page, 'words.plugin');
    const dialog = page.getByRole('dialog', { name: 'Install a plugin' });
    await dialog.getByText(words).waitFor();
    await dialog.getByText('3.4 MB').waitFor();
    await dialog.getByText('Read files and folders that you choose').waitFor();
    await dialog.getByText('Use the network').waitFor();
    const checksum = dialog.getByLabel('ab'.repeat(32));
    expect(await checksum.textContent()).toBe('abababababab…abababab');
    await checksum.hover();
    await page.getByText('ab'.repeat(32), { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
    expect(service.host.plugins.has(words)).toBe(true);
  });

  it('marks what is new and warns before going back to an older version', async () => {
    const { page } = await open((host) => {
      addPlugin(host, words, { name: 'Words', version: '2.0.0' });
      host.packages.set(
        'words.plugin',
        makeInspection({
          installed: true,
          installedVersion: '2.0.0',
          comparison: 'downgrade',
          permissions: ['files.read', 'network'],
          addedPermissions: ['network'],
        }),
      );
    });
    await choosePackage(page, 'words.plugin');
    await page.getByText('Version 2.0.0 is installed, which is newer than 1.2.0.').waitFor();
    expect(await page.locator('.permissions li', { hasText: 'new' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Go back to 1.2.0' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('lists what is wrong with a package and lets another one be chosen', async () => {
    const { page } = await open((host) => {
      host.packages.set('bad.plugin', {
        status: 400,
        code: 'invalid_package',
        detail: 'The manifest is not right.',
        errors: [{ path: 'version', message: 'must be a semantic version' }],
      });
      host.packages.set('good.plugin', makeInspection());
    });
    await choosePackage(page, 'bad.plugin');
    await page.getByText('The manifest is not right.').waitFor();
    await page.getByText('version: must be a semantic version').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await (await choosing).setFiles([packageFile('good.plugin')]);
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });

  it('keeps what was shown when the installation fails', async () => {
    const { page, service } = await open((host) => {
      host.packages.set('words.plugin', makeInspection());
    });
    await choosePackage(page, 'words.plugin');
    const install = page.getByRole('button', { name: 'Install', exact: true });
    await install.waitFor();
    await expect.poll(() => install.isEnabled()).toBe(true);
    service.host.packages.set('words.plugin', {
      status: 507,
      code: 'disk_full',
      detail: 'The disk is full. Free some space, then install again.',
    });
    await install.click();
    await page.getByText('The disk is full.').waitFor();
    await page.getByText('3.4 MB').waitFor();
    service.host.packages.set('words.plugin', makeInspection());
    await install.click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });

  it('asks for the checksum file where the settings demand one', async () => {
    const { page } = await open((host) => {
      host.settings.requirePluginChecksum = true;
      host.packages.set('words.plugin', makeInspection());
    });
    await choosePackage(page, 'words.plugin');
    await page.getByText('Your settings ask for a checksum').waitFor();
    expect(await page.getByRole('button', { name: 'Install', exact: true }).isDisabled()).toBe(
      true,
    );
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add its .sha256 file' }).click();
    await (await choosing).setFiles([packageFile('words.plugin.sha256')]);
    await page.getByText('words.plugin · words.plugin.sha256').waitFor();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });

  it('takes a package that is dropped on the window', async () => {
    const { page } = await open((host) => {
      host.packages.set('words.plugin', makeInspection());
    });
    const transfer = await page.evaluateHandle(() => {
      const files = new DataTransfer();
      files.items.add(new File(['package'], 'words.plugin'));
      return files;
    });
    await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
    await page.getByText('Drop the .plugin file to install it').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.getByRole('dialog').getByText(words).waitFor();
  });
});

describe('the list', () => {
  it('finds plugins by typing and walks with the arrows', async () => {
    const { page } = await open((host) => {
      addPlugin(host, words, { name: 'Words' });
      addPlugin(host, 'com.example.charts', { name: 'Charts', enabled: false });
    });
    await page.getByRole('button', { name: /^Charts.*Disabled/ }).waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('wor');
    await page.getByRole('button', { name: /^Charts/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });

  it('disables and enables, and keeps the page away in between', async () => {
    const { page, service } = await open((host) => void addPlugin(host, words, { name: 'Words' }));
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.locator('iframe').waitFor();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Words is disabled.').waitFor();
    expect(service.host.plugins.get(words)?.enabled).toBe(false);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Enable' }).last().click();
    await page.frameLocator('iframe').getByText(words).waitFor();
  });

  it('says why a plugin cannot work and offers the way out', async () => {
    const { page } = await open((host) => {
      addPlugin(host, words, { state: 'quarantined', stateReason: 'It crashed three times.' });
    });
    await page.getByRole('button', { name: '1 plugin needs attention' }).click();
    await page.getByText('It crashed three times.').waitFor();
    await page.getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('It crashed three times.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1 of 1 plugins enabled' }).waitFor();
  });

  it('names the size of the data that goes with a plugin', async () => {
    const { page, service } = await open((host) => {
      addPlugin(host, words, { name: 'Words' });
      host.dataSizeBytes.set(words, 12_400_000);
    });
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Uninstall…' }).click();
    await page.getByRole('button', { name: 'Uninstall and keep its data' }).waitFor();
    const request = page.waitForRequest((each) => each.method() === 'DELETE');
    await page.getByRole('button', { name: 'Uninstall and delete 12 MB of data' }).click();
    expect((await request).url()).toContain('deleteData=true');
    await expect.poll(() => service.host.plugins.size).toBe(0);
    await page.getByText('Plugins add pages and tools').first().waitFor();
  });
});

describe('the log', () => {
  it('shows what was and what comes, and hides lesser levels', async () => {
    const { page, service } = await open((host) => {
      addPlugin(host, words, { name: 'Words' });
      host.logs.set(words, [makeLog(1, { message: 'It was here before' })]);
    });
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByText('It was here before').waitFor();
    service.send(
      `logs:${words}`,
      'log',
      makeLog(2, { message: 'Fresh', level: 'ERROR', logger: null }),
    );
    await page.getByText('Fresh').waitFor();
    await page.getByRole('combobox', { name: 'Least level shown' }).click();
    await page.getByRole('option', { name: 'Errors only' }).click();
    await page.getByText('It was here before').waitFor({ state: 'detached' });
    await page.getByText('Fresh').waitFor();
  });

  it('connects again without saying anything twice', async () => {
    const { page, service } = await open((host) => {
      addPlugin(host, words, { name: 'Words' });
      host.logs.set(words, [makeLog(1, { message: 'Only once' })]);
    });
    await page.getByRole('button', { name: /^Words/ }).click();
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByText('Only once').waitFor();
    service.dropStreams();
    service.host.logs.get(words)?.push(makeLog(2, { message: 'While it was away' }));
    await page.getByText('While it was away').waitFor();
    expect(await page.getByText('Only once').count()).toBe(1);
    await page.getByRole('button', { name: 'Close the log' }).click();
    await expect.poll(() => service.listeners(`logs:${words}`)).toBe(0);
  });
});

describe('notifications', () => {
  it('arrive live, are counted, read and removed', async () => {
    const { page, service } = await open((host) => {
      host.notifications = [makeNotification({ title: 'An old one', read: true })];
    });
    await expect.poll(() => service.listeners('notifications')).toBe(1);
    const fresh = makeNotification({ title: 'A fresh one' });
    service.host.notifications.unshift(fresh);
    service.send('notifications', 'notification', fresh);
    service.send('notifications', 'notification', fresh);
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByText('An old one').waitFor();
    expect(await list.getByText('A fresh one').count()).toBe(1);
    await list.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByRole('button', { name: 'Notifications, none unread' }).waitFor();
    await list.getByRole('button', { name: 'Remove' }).first().click();
    await list.getByText('A fresh one').waitFor({ state: 'detached' });
    expect(service.host.notifications).toHaveLength(1);
  });

  it('that came while the stream was away are fetched', async () => {
    const { page, service } = await open(() => undefined);
    await expect.poll(() => service.listeners('notifications')).toBe(1);
    service.host.notifications.unshift(makeNotification({ title: 'Missed' }));
    service.dropStreams();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
  });

  it('lead only to the shell and to https addresses', async () => {
    const { page } = await open((host) => {
      addPlugin(host, words, { name: 'Words' });
      host.notifications = [
        makeNotification({ link: '/plugins/com.example.words' }),
        makeNotification({ link: 'https://example.org/notes' }),
        makeNotification({ link: 'javascript:window.hacked=1' }),
        makeNotification({ link: 'https://user@example.org' }),
        makeNotification({ link: '//example.org' }),
      ];
    });
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    const link = list.getByRole('link');
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://example.org/notes');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await list.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });
});

describe('text from outside', () => {
  it('stays text wherever it is shown', async () => {
    const { page, service } = await open((host) => {
      xssCorpus.forEach((name, index) => {
        addPlugin(host, `com.example.x${index}`, {
          name,
          description: name,
          author: name,
          permissions: [name],
          state: 'crashed',
          stateReason: name,
        });
        host.notifications.push(makeNotification({ title: name, body: name }));
        host.packages.set(
          `${index}.plugin`,
          makeInspection({ name, version: name, permissions: [name] }),
        );
      });
      host.logs.set(
        'com.example.x0',
        xssCorpus.map((message, n) => makeLog(n, { message, logger: message, level: message })),
      );
      host.packages.set('bad.plugin', {
        status: 400,
        code: 'invalid_package',
        detail: xssCorpus.join(' '),
        errors: xssCorpus.map((message) => ({ path: message, message })),
      });
    });
    await page.locator('.row').first().waitFor();
    const names = await page.locator('.row-name').allTextContents();
    expect(names.sort()).toEqual([...xssCorpus].sort());
    await page.goto(`${service.url}/#/plugins/com.example.x0`);
    await page.locator('.note', { hasText: '<script>' }).waitFor();
    await page.locator('.toolbar').getByRole('button', { name: 'Log' }).click();
    await expect.poll(() => page.locator('.log-line').count()).toBe(xssCorpus.length);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect.poll(() => page.locator('.notice-title').allTextContents()).toEqual(xssCorpus);
    await page.keyboard.press('Escape');
    for (const name of ['1.plugin', '8.plugin', 'bad.plugin']) {
      await choosePackage(page, name);
      await page.getByRole('dialog').locator('.permissions, .note ul').first().waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: '<style>' }).waitFor();
  });
});
