import { expect, test } from '@playwright/test';
import { choosePackage, packageFile } from '../../testing/choose-package.ts';
import { addPlugin, makeInspection } from '../../testing/fake-host.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

const wordsId = 'com.example.words';

test.describe('installing from a file', () => {
  test('shows the package and its permissions, then installs and opens it', async () => {
    const { page, service } = await open((host) => {
      host.packages.set('words.plugin', makeInspection({ permissions: ['files.read', 'network'] }));
    });
    await choosePackage(page, 'words.plugin');
    const dialog = page.getByRole('dialog', { name: 'Install plugin' });
    await dialog.getByText(wordsId).waitFor();
    await dialog.getByText('3.4 MB').waitFor();
    await dialog.getByText('Read files and folders you choose').waitFor();
    await dialog.getByText('Use the network').waitFor();
    const checksum = dialog.getByLabel('ab'.repeat(32));
    await expect.poll(() => checksum.textContent()).toBe('abababababab…abababab');
    await checksum.hover();
    await page.getByText('ab'.repeat(32), { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
    expect(service.host.plugins.has(wordsId)).toBe(true);
  });

  test('lists parts of the package without an effect, and suggests the correct word', async () => {
    const { page } = await open((host) => {
      const message = 'is unknown and has no effect';
      const warnings = [{ path: 'permission', message, suggestion: 'permissions' }];
      host.packages.set('words.plugin', makeInspection({ warnings }));
    });
    await choosePackage(page, 'words.plugin');
    const dialog = page.getByRole('dialog', { name: 'Install plugin' });
    await dialog.getByText('permission', { exact: true }).waitFor();
    await dialog.getByText('is unknown and has no effect · Did you mean permissions?').waitFor();
  });

  test('explains how a bundle for another program is converted', async () => {
    const { page } = await open((host) => {
      const converted = {
        kind: 'mcpb' as const,
        carried: [{ message: 'The MCP server notes (node)' }],
        notCarried: [{ message: 'prompts: not supported by the host' }],
      };
      host.packages.set('notes.mcpb', makeInspection({ converted }));
    });
    await choosePackage(page, 'notes.mcpb');
    const dialog = page.getByRole('dialog', { name: 'Install plugin' });
    await dialog.getByText('This is an MCP bundle.').waitFor();
    await expect(dialog.getByRole('list', { name: 'Carried over', exact: true })).toHaveText(
      'The MCP server notes (node)',
    );
    await expect(dialog.getByRole('list', { name: 'Not carried over' })).toHaveText(
      'prompts: not supported by the host',
    );
  });

  test('marks new permissions and warns before a downgrade', async () => {
    const { page } = await open((host) => {
      addPlugin(host, wordsId, { name: 'Words', version: '2.0.0' });
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
    await expect.poll(() => page.locator('.permissions li', { hasText: 'new' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Downgrade to 1.2.0' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('lists the problems of a package and lets another one be chosen', async () => {
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

  test('keeps the inspection when the installation fails', async () => {
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

  test('asks for the checksum file if the settings require one', async () => {
    const { page } = await open((host) => {
      host.settings.requirePluginChecksum = true;
      host.packages.set('words.plugin', makeInspection());
    });
    await choosePackage(page, 'words.plugin');
    await page.getByText('Your settings require a checksum').waitFor();
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

  test('accepts a package that is dropped on the window', async () => {
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
    await page.getByRole('dialog').getByText(wordsId).waitFor();
  });
});
