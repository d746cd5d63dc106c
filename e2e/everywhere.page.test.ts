import type { Locator, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { areas } from '../renderer-shell/shell/areas.ts';
import { shortcuts } from '../renderer-shell/shell/shortcuts.ts';
import en from '../service/messages/en.json' with { type: 'json' };
import { settingsSections } from './shell-content.ts';
import { api } from '../service/contract/index.ts';
import { hostPages } from './host-pages.ts';

// Statuses that the tests return instead of the host, and that of an unreachable host.
const { hosts, page: currentPage, picture } = hostPages([0, 404, 500]);
const token = 'token-of-the-test-that-stays-the-same-over-a-restart';
const env = { HOST_AUTH_TOKEN: token };

async function openShell() {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'], env });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
  return { page, host, client: await host.client(token) };
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), path);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
    return label ?? at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
  });

test.describe('what comes while somebody works', () => {
  test('appears in the status bar without taking the focus, disappears, and stays if it is an error', async () => {
    const { page, client } = await openShell();
    await goTo(page, '/agent');
    const goal = page.getByRole('textbox', { name: 'Goal', exact: true });
    await goal.fill('Count');
    const post = (level: 'info' | 'error', title: string) =>
      client.call(api.notifications.create, {
        body: { source: 'host', level, title, body: 'More of it.', link: '/settings/models' },
      });
    await post('error', 'Something failed');
    await post('info', 'Something happened');
    const line = page.getByRole('region', { name: 'New notifications' });
    await line.getByText('Something happened').waitFor();
    await picture('notice');
    await page.keyboard.type(' the words');
    expect(await goal.inputValue()).toBe('Count the words');
    await line.getByText('Something happened').waitFor({ state: 'detached' });
    await line.getByText('Something failed').waitFor();
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
    await line.getByText('Something failed').waitFor({ state: 'detached' });
    const centre = page.getByRole('dialog', { name: 'Notifications' });
    await centre.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications, no unread' }).waitFor();
    await page.keyboard.press('Escape');
    await centre.waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^Notifications/);

    await post('error', 'Again');
    await line.getByRole('button', { name: 'Open' }).click();
    await expect.poll(() => page.title()).toBe('Models – Settings – Plugin host');
  });
});

test.describe('the palette', () => {
  test('opens every area and section, and the window title names the current one', async () => {
    const { page } = await openShell();
    const labels: Record<string, string> = en.shell.sections;
    const commands: Record<string, unknown> = en.shell.command;
    const titles: Record<string, unknown> = en.shell.area;
    const expected = [
      ...settingsSections.map((id) => [`Settings: ${labels[id] ?? ''}`, labels[id], 'Settings']),
      ...areas.map(({ area }) => [String(commands[area]), null, String(titles[area])]),
    ];
    for (const [command, name, area] of expected) {
      await page.keyboard.press('Control+k');
      await page.locator('[role="combobox"]:focus').waitFor();
      await page.keyboard.type(command ?? '');
      await page
        .getByRole('option', { name: command ?? '' })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      const title = [name, area, 'Plugin host'].filter(Boolean).join(' – ');
      await expect.poll(() => page.title()).toBe(title);
    }
  });

  test('and the list of shortcuts show the same keys, which work', async () => {
    const { page } = await openShell();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect.poll(() => list.getByRole('row').count()).toBe(shortcuts.length);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    for (const [index, { area }] of areas.entries()) {
      await page.keyboard.press(`Control+${index + 1}`);
      await expect.poll(() => new URL(page.url()).hash).toBe(`#/${area}`);
    }
    await page.keyboard.press('Control+,');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/settings');
  });
});

test.describe('a host that goes away', () => {
  test('is reported in every area, reconnects automatically, and loses no typed text', async () => {
    const { page, host, client } = await openShell();
    const port = await host.value('HOST_PORT');
    const { id } = await client.call(api.conversations.create, {
      body: { title: 'Fruit', messages: [{ role: 'user', content: 'Which?' }] },
    });
    const typed: Record<string, () => ReturnType<Page['locator']>> = {
      '/chat': () => page.getByRole('textbox', { name: 'Message' }),
      '/agent': () => page.getByRole('textbox', { name: 'Goal', exact: true }),
      '/mcp/import': () => page.getByRole('textbox', { name: 'Server configuration (JSON)' }),
    };
    const paths = [
      ...areas.map(({ area }) => `/${area}`),
      ...[`/chat/${id}`, '/mcp/import', '/settings/data', '/settings/models'],
    ];
    let { workDirectory } = host;
    let running = host;
    for (const path of paths) {
      await goTo(page, path);
      await page.locator('main:visible').getByText(/\S/).first().waitFor();
      const field = typed[path]?.();
      const text =
        path === '/mcp/import'
          ? '{"mcpServers":{"one":{"url":"http://127.0.0.1:9"}}}'
          : 'Typed before it went';
      await field?.fill(text);
      running.child.kill('SIGKILL');
      await running.exited;
      await page.getByText('The host is not responding. Retrying').waitFor();
      running = await hosts.start({ args: ['--web', `--port=${port}`], env, workDirectory });
      ({ workDirectory } = running);
      await running.value('HOST_PORT');
      await page
        .getByRole('button', { name: 'Retry now' })
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      await page.getByText('The host is not responding. Retrying').waitFor({ state: 'detached' });
      if (field)
        expect(
          await field.textContent().then(async (content) => content || field.inputValue()),
        ).toContain(text);
      const alerts = page.locator('main:visible [role="alert"]');
      // One string, so that a failure shows the content.
      const pathWithAlerts = async () => [path, ...(await alerts.allTextContents())].join(' | ');
      await expect.poll(pathWithAlerts).toBe(path);
      expect(new URL(page.url()).hash).toBe(`#${path}`);
    }
    await client.call(api.conversations.update, { params: { id }, body: { title: 'Pears' } });
  });
});

/** Lists of the shell: the path that shows each, and the request it comes from. */
const lists: [path: string, from: string][] = [
  ['/chat', '/api/ai/conversations'],
  ['/agent', '/api/agent/runs'],
  ['/agent/schedules', '/api/agent/schedules'],
  ['/agent/tasks', '/api/agent/tasks'],
  ['/flows', '/api/workflows'],
  ['/plugins', '/api/plugin-market'],
  ['/store', '/api/plugin-market'],
  ['/store/~sources', '/api/plugin-store/sources'],
  ['/mcp', '/api/mcp/servers'],
  ['/settings/hooks', '/api/hooks/status'],
  ['/settings/data', '/api/settings/snapshots'],
  ['/settings/diagnostics', '/api/diagnostics'],
  ['/settings/about', '/api/diagnostics'],
  ['/settings/hooks', '/api/plugin-hooks'],
  ['/settings/plugins', '/api/security/process-isolation'],
  ['/flows', '/api/workflows/templates'],
  ['/settings/models', '/api/ai/config'],
];

const problem = {
  type: 'about:blank',
  title: 'Error',
  status: 500,
  code: 'internal_error',
  detail: 'Something went wrong inside the host. The log has the details.',
};

/** Clicks until the element is visible; it may also appear through an automatic refresh. */
const retried = (button: Locator, seen: Locator): Promise<void> =>
  expect
    .poll(async () => {
      await button.click({ timeout: 1_000 }).catch(() => undefined);
      return (await button.isVisible()) ? false : seen.isVisible();
    })
    .toBe(true);

test.describe('a list', () => {
  test('of each area shows the reason if it cannot be read, and is retried on demand', async () => {
    const { page } = await openShell();
    for (const [path, from] of lists) {
      let asked = 0;
      await page.route(
        (url) => url.pathname === from,
        (route) => {
          asked += 1;
          return route.fulfill({
            status: 500,
            contentType: 'application/problem+json',
            body: JSON.stringify(problem),
          });
        },
      );
      await goTo(page, path);
      await page.reload();
      const alert = page.getByRole('alert').filter({ hasText: problem.detail }).first();
      const where = { message: `${path} of ${from}` };
      await expect.poll(() => alert.isVisible(), where).toBe(true);
      const before = asked;
      const retry = alert.getByRole('button', { name: 'Retry' });
      await retry.click();
      await expect.poll(() => asked, where).toBeGreaterThan(before);
      await page.unrouteAll();
      await retried(retry, page.locator('main, .list').first());
      await expect.poll(() => alert.isVisible(), where).toBe(false);
    }
  });

  test('of notifications shows the reason too', async () => {
    const { page } = await openShell();
    await page.route('**/api/notifications**', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Error',
          status: 500,
          code: 'internal_error',
          detail: 'No notifications today.',
        }),
      }),
    );
    await page.reload();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const centre = page.getByRole('dialog', { name: 'Notifications' });
    await centre.getByText('No notifications today.').waitFor();
    await page.unrouteAll();
    await retried(
      centre.getByRole('button', { name: 'Retry' }),
      centre.getByText('No notifications.'),
    );
  });
});
