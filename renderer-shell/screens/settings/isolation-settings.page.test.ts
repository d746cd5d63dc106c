import { expect, it } from 'vitest';
import type { FakeHost } from '../../testing/fake-host.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

function withoutSandbox(host: FakeHost): void {
  Object.assign(host.isolation, {
    backend: 'none',
    sandboxed: false,
    compatibilityMode: true,
    lifecycleIsolation: 'tree-kill',
    filesystem: 'none',
    network: 'open',
    reason: 'The sandbox is not installed.',
    advice: 'Install it, then start the host again.',
  });
}

async function openSettings(prepare?: (host: FakeHost) => void) {
  const shell = await open(prepare);
  await shell.page.getByRole('button', { name: 'Settings' }).click();
  await shell.page.getByRole('button', { name: /^Plugins and isolation/ }).click();
  await shell.page.getByRole('heading', { name: 'How plugins are kept apart' }).waitFor();
  return {
    ...shell,
    toggle: shell.page.getByRole('switch', { name: 'Run plugins with all your rights' }),
  };
}

it('a sandbox that holds is said, and nothing can be switched [ISOLATION-20]', async () => {
  const { page, toggle } = await openSettings();
  await page.getByText('Plugin workers run in a sandbox').waitFor();
  await page.getByText('A trial at the start has shown that this holds (bubblewrap).').waitFor();
  expect(await toggle.count()).toBe(0);
});

it('without a sandbox the toggle asks before it is on, with reason and advice beside it [ISOLATION-20]', async () => {
  const { page, service, toggle } = await openSettings(withoutSandbox);
  await page.getByText('Plugin workers run without a sandbox').waitFor();
  await page.getByText('The sandbox is not installed.').waitFor();
  await page.getByText('Install it, then start the host again.').waitFor();
  expect(await toggle.isChecked()).toBe(false);

  await toggle.press('Space');
  const dialog = page.getByRole('dialog', { name: 'Run plugins with all your rights?' });
  await dialog.getByText('Every enabled plugin can then read, change and delete').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(service.host.settings.unsandboxedPlugins).toBe(false);
  expect(await toggle.isChecked()).toBe(false);

  await toggle.press('Space');
  await dialog.getByRole('button', { name: 'Run with all my rights' }).click();
  await page.getByText('You let them run with all rights of your account.').waitFor();
  expect(await toggle.isChecked()).toBe(true);
  expect(service.host.settings.unsandboxedPlugins).toBe(true);

  await toggle.press('Space');
  await expect.poll(() => service.host.settings.unsandboxedPlugins).toBe(false);
  await page.getByText('They end with the host').waitFor();
});

it('on a machine with a sandbox it can be switched off where it is on', async () => {
  const { page, service, toggle } = await openSettings((host) => {
    host.settings.unsandboxedPlugins = true;
    host.isolation.sandboxed = false;
  });
  await toggle.press('Space');
  await expect.poll(() => service.host.settings.unsandboxedPlugins).toBe(false);
  await toggle.waitFor({ state: 'detached' });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('a report that cannot be read is asked for again', async () => {
  const { page, service } = await open();
  const { isolation } = service.host;
  Object.assign(service.host, { isolation: null });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Plugins and isolation/ }).click();
  const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
  await retry.waitFor();
  service.host.isolation = isolation;
  await retry.click();
  await page.getByText('Plugin workers run in a sandbox').waitFor();
});
