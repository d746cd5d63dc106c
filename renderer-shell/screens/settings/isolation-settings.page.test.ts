import { expect, test } from '@playwright/test';
import { addPlugin, type FakeHost } from '../../testing/fake-host.ts';
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
  await shell.page.getByRole('heading', { name: 'Plugin isolation' }).waitFor();
  return {
    ...shell,
    toggle: shell.page.getByRole('switch', { name: 'Run plugins without a sandbox' }),
  };
}

test('a working sandbox is shown, without a switch [ISOLATION-20]', async () => {
  const { page, toggle } = await openSettings();
  await page.getByText('Plugin workers run in a sandbox').waitFor();
  await page.getByText('A check at startup confirmed this (bubblewrap).').waitFor();
  expect(await toggle.count()).toBe(0);
});

test('without a sandbox the switch asks for confirmation, with reason and advice beside it [ISOLATION-20]', async () => {
  const { page, service, toggle } = await openSettings(withoutSandbox);
  await page.getByText('Only official plugins run: no sandbox is available').waitFor();
  await page.getByText('The sandbox is not installed.').waitFor();
  await page.getByText('Install it, then start the host again.').waitFor();
  expect(await toggle.isChecked()).toBe(false);

  await toggle.press('Space');
  const dialog = page.getByRole('dialog', { name: 'Run plugins without a sandbox?' });
  await dialog.getByText('Every enabled plugin can then read, change and delete').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(service.host.settings.unsandboxedPlugins).toBe(false);
  expect(await toggle.isChecked()).toBe(false);

  await toggle.press('Space');
  await dialog.getByRole('button', { name: 'Run without a sandbox' }).click();
  await page.getByText('You allowed them to run with all rights of your account.').waitFor();
  expect(await toggle.isChecked()).toBe(true);
  expect(service.host.settings.unsandboxedPlugins).toBe(true);

  await toggle.press('Space');
  await expect.poll(() => service.host.settings.unsandboxedPlugins).toBe(false);
  await page.getByText('Workers of other plugins do not start until you allow it').waitFor();
});

test('on Windows plugins run without a sandbox, and the setting says so [ISOLATION-22]', async () => {
  const { page } = await openSettings((host) => {
    withoutSandbox(host);
    Object.assign(host.isolation, { platform: 'win32', backend: 'job-object' });
  });
  await page.getByText('Plugin workers run without a sandbox').waitFor();
  await page.getByText('They stop when the host stops').waitFor();
});

test('an incomplete sandbox names what it lacks, and does not claim that files can be read', async () => {
  const { page } = await openSettings((host) => {
    const reason = 'The filter of system calls is not in force in the sandbox.';
    Object.assign(host.isolation, { sandboxed: false, reduced: true, filesystem: 'full', reason });
  });
  await page.getByText('Plugin workers run in a reduced sandbox').waitFor();
  await page.getByText('Other parts of the sandbox do not work on this computer.').waitFor();
  await page.getByText('The filter of system calls is not in force in the sandbox.').waitFor();
  expect(await page.getByText('can read your other files').count()).toBe(0);
});

const refused = {
  state: 'sandbox_unavailable',
  stateReason:
    'Words was not started because this system cannot isolate it. bubblewrap, which keeps plugin workers apart on Linux, is not installed. Workers of official plugins run with a clean environment and end with the host; workers of other plugins do not start. Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), then start the host again. To run the other plugins without a sandbox, with all rights of your account, turn on “Run plugins without a sandbox” (unsandboxedPlugins) in the settings.',
  stateReasonMessage: {
    code: 'plugins.notIsolated',
    parameters: {
      name: 'Words',
      reason: 'bubblewrap, which keeps plugin workers apart on Linux, is not installed.',
      advice: 'Install it, or turn on “Run plugins without a sandbox” in the settings.',
    },
  },
} as const;

for (const texts of [
  {
    language: 'en' as const,
    attention: '1 plugin needs attention',
    state: 'Not started: no sandbox',
    reason: 'Words was not started because this system cannot isolate it.',
    advice: 'turn on “Run plugins without a sandbox”',
    open: 'Open plugin settings',
    toggle: 'Run plugins without a sandbox',
  },
  {
    language: 'zh-CN' as const,
    attention: '1 个插件需要处理',
    state: '未启动：没有沙箱',
    reason: 'Words 没有启动，因为此系统无法隔离它。',
    advice: 'turn on “Run plugins without a sandbox”',
    open: '打开插件设置',
    toggle: '不使用沙箱运行插件',
  },
])
  test(`a plugin that was not started shows the reason and links to the setting (${texts.language})`, async () => {
    const { page } = await open((host) => {
      withoutSandbox(host);
      host.settings = { ...host.settings, language: texts.language };
      addPlugin(host, 'com.example.words', { name: 'Words', ...refused });
    });
    await page.getByRole('button', { name: texts.attention }).click();
    const alert = page.getByRole('alert').filter({ hasText: texts.state });
    await expect.poll(() => alert.textContent()).toContain(texts.reason);
    expect(await alert.textContent()).toContain(texts.advice);
    await alert.getByRole('button', { name: texts.open }).click();
    const toggle = page.getByRole('switch', { name: texts.toggle });
    await toggle.waitFor();
    expect(await toggle.isChecked()).toBe(false);
  });

test('on a machine with a sandbox it can be turned off if it is on', async () => {
  const { page, service, toggle } = await openSettings((host) => {
    host.settings.unsandboxedPlugins = true;
    host.isolation.sandboxed = false;
  });
  await toggle.press('Space');
  await expect.poll(() => service.host.settings.unsandboxedPlugins).toBe(false);
  await toggle.waitFor({ state: 'detached' });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a report that cannot be read is requested again', async () => {
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
