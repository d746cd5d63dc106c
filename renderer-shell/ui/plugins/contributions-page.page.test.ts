import { expect, test } from '@playwright/test';
import type { FakeHost } from '../../testing/fake-host.ts';
import { addPlugin, addTrust, makeHook } from '../../testing/fake-host.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

const id = 'claude.tools.guard';

/** Adds a plugin as a git installation creates it: no page, no worker. */
function addGuard(host: FakeHost, change: Parameters<typeof addPlugin>[2] = {}): void {
  addPlugin(host, id, {
    name: 'Guard',
    page: null,
    description: 'Checks commands before they run.',
    sourceName: 'tools',
    contents: {
      skills: ['review-diff', 'write-tests'],
      commands: ['diary'],
      agents: ['auditor'],
      hooks: ['guard'],
      mcpServers: ['calc'],
    },
    ...change,
  });
  addTrust(host, id, {
    hooks: [
      makeHook({ name: `plugin/${id}/guard`, matcher: 'Bash', command: 'sh guard.sh' }),
      makeHook({
        name: `plugin/${id}/hello`,
        event: 'SessionStart',
        command: 'hello.sh',
        supported: false,
        unsupportedReason: 'the host has no such event',
      }),
      makeHook({ name: 'note', event: 'run_complete', type: 'http', url: 'https://example.com/n' }),
    ],
    mcpServers: ['calc'],
    servers: [{ name: 'calc', transport: 'STDIO', command: 'node', args: ['calc.mjs'] }],
    warnings: [{ part: 'hooks/hooks.json', reason: 'a hook without a command was left out' }],
  });
}

test.describe('a plugin without a page', () => {
  test('shows its contributions in place of a frame', async () => {
    const { page } = await open((host) => addGuard(host));
    await page.getByRole('button', { name: /^Guard.*Enabled/ }).click();
    await page.getByText('Checks commands before they run.').waitFor();
    for (const [part, names] of [
      ['Skills', ['review-diff', 'write-tests']],
      ['Commands', ['diary']],
      ['Agents', ['auditor']],
    ] as const) {
      const list = page.getByRole('list', { name: part });
      expect(await list.getByRole('listitem').allTextContents()).toEqual(names);
    }
    await page.getByRole('row', { name: 'Source tools' }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  test('has no worker state, no log and no reload button', async () => {
    const { page } = await open((host) => addGuard(host, { state: 'crashed' }));
    await page.getByRole('button', { name: /^Guard.*Enabled/ }).click();
    await page.locator('.toolbar').getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: '1 of 1 plugins enabled' }).waitFor();
    expect(await page.getByRole('button', { name: 'Log' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Pin to the activity bar',
      'Uninstall…',
    ]);
    await page.getByRole('menuitem', { name: 'Uninstall…' }).click();
    await page.getByText('The plugin and everything it adds are removed.').waitFor();
  });

  test('explains what it means to be disabled', async () => {
    const { page, service } = await open((host) => addGuard(host));
    await page.getByRole('button', { name: /^Guard/ }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Nothing it adds is used until you enable it.').waitFor();
    await page.getByRole('list', { name: 'Skills' }).waitFor();
    expect(service.host.plugins.get(id)?.enabled).toBe(false);
  });

  test('says when it has no contributions', async () => {
    const { page } = await open((host) => {
      addPlugin(host, id, { name: 'Guard', page: null });
    });
    await page.getByRole('button', { name: /^Guard/ }).click();
    await page.getByText('This plugin adds nothing that this host can use.').waitFor();
    await expect.poll(() => page.getByText('Runs on this computer').count()).toBe(0);
  });

  test('shows texts of the plugin unchanged', async () => {
    const { page } = await open((host) => {
      const bad = '<img src=x onerror=window.hacked=1>';
      addGuard(host, { description: bad });
      addTrust(host, id, { hooks: [makeHook({ command: bad, event: bad })] });
    });
    await page.getByRole('button', { name: /^Guard/ }).click();
    await expect
      .poll(() => page.locator('.running-command').textContent())
      .toBe('<img src=x onerror=window.hacked=1>');
  });
});

test.describe('the trust in hooks and MCP servers of a plugin', () => {
  test('is granted after an explanation, and can be revoked', async () => {
    const { page, service } = await open((host) => addGuard(host));
    await page.getByRole('button', { name: /^Guard/ }).click();
    const section = page.getByRole('region', { name: 'Runs on this computer' });
    await section.getByText('Nothing here runs until you trust it.').waitFor();
    const rows = section.getByRole('list', { name: 'Hooks' }).getByRole('listitem');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^Before a tool runs · tools matching Bash\s+sh guard\.sh\s+guard$/),
      expect.stringMatching(
        /^SessionStart\s*not supported here\s+hello\.sh\s+hello · the host has no such event$/,
      ),
      expect.stringMatching(/^When a run completes\s+https:\/\/example\.com\/n\s+note$/),
    ]);
    const servers = section.getByRole('list', { name: 'MCP servers' });
    await servers.getByText('calc', { exact: true }).waitFor();
    await servers.getByText('node calc.mjs').waitFor();
    await section.getByText('a hook without a command was left out').waitFor();

    const ask = section.getByRole('button', { name: 'Trust…' });
    await ask.click();
    const dialog = page.getByRole('dialog', { name: 'Trust Guard?' });
    await dialog.getByText('These commands run on this computer with your rights').waitFor();
    await dialog.getByText('sh guard.sh').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Cancel');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(service.host.trust.get(id)?.trusted).toBe(false);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Trust…');

    await ask.click();
    await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
    await section.getByText('Trusted', { exact: true }).waitFor();
    expect(service.host.trust.get(id)?.trusted).toBe(true);
    await section.getByRole('button', { name: 'Revoke trust' }).click();
    await section.getByText('Not trusted').waitFor();
    expect(service.host.trust.get(id)?.trusted).toBe(false);
  });

  test('ends when the content changes, with an explanation', async () => {
    const { page, service } = await open((host) => {
      addGuard(host);
      Object.assign(host.trust.get(id)!, { state: 'changed' });
    });
    await page.getByRole('button', { name: /^Guard/ }).click();
    await page.getByText('Changed since you trusted it').waitFor();
    await page.getByText('Nothing here runs until you review it').waitFor();
    await page.getByRole('button', { name: 'Revoke trust' }).waitFor();
    await page.getByRole('button', { name: 'Trust again…' }).click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await expect.poll(() => service.host.trust.get(id)?.state).toBe('trusted');
  });

  test('shows the current content in the confirmation', async () => {
    const { page, service } = await open((host) => addGuard(host));
    await page.getByRole('button', { name: /^Guard/ }).click();
    await page.getByText('sh guard.sh').waitFor();
    service.host.trust.get(id)!.hooks[0]!.command = 'sh other.sh';
    await page.getByRole('button', { name: 'Trust…' }).click();
    await page.getByRole('dialog').getByText('sh other.sh').waitFor();
  });

  test('is part of the details of a plugin with a page', async () => {
    const { page } = await open((host) => {
      addGuard(host, { page: '<!doctype html><p>page</p>' });
    });
    await page.getByRole('button', { name: /^Guard/ }).click();
    await page.frameLocator('iframe').getByText('page').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'About this plugin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trust…' }).waitFor();
  });
});
