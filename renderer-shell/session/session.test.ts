import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addPlugin } from '../testing/fake-host.ts';
import type { OpenShell } from '../testing/shell-browser.ts';
import { ShellBrowser } from '../testing/shell-browser.ts';

let browser: ShellBrowser;
let current: OpenShell | undefined;
beforeAll(async () => {
  browser = await ShellBrowser.start();
});
afterEach(async () => {
  expect(current?.faults).toEqual([]);
  await browser.closePages();
});
afterAll(() => browser.stop());

async function open(...options: Parameters<ShellBrowser['open']>): Promise<OpenShell> {
  current = await browser.open(...options);
  return current;
}

describe('coming in', () => {
  it('uses the ticket of the address once and keeps it nowhere', async () => {
    const { page, service } = await open();
    const address = service.ticketUrl();
    const ticket = address.split('=')[1] ?? '';
    await page.goto(address);
    await page.getByRole('navigation').waitFor();
    expect(page.url()).not.toContain('ticket');
    expect(service.host.webTickets.size).toBe(0);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]),
    );
    expect(kept).not.toContain(ticket);
    expect(kept.split(service.host.token)).toHaveLength(2);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('ticket');
  });

  it('comes back after a reload without asking', async () => {
    const { page, service } = await open();
    addPlugin(service.host, 'com.example.words', { name: 'Words' });
    await page.goto(service.ticketUrl());
    await page.getByRole('button', { name: 'Words' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
    expect(service.requests.filter((request) => request.includes('web/session'))).toHaveLength(1);
  });

  it('asks for the token, says when it is wrong, and goes on with the right one', async () => {
    const { page, service } = await open();
    await page.goto(service.url);
    await page.getByText('HOST_TOKEN=').first().waitFor();
    const field = page.getByRole('textbox', { name: 'Token' });
    await field.fill('not the token');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('does not accept this token').waitFor();
    await field.fill(`HOST_TOKEN=${service.host.token}`);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
  });

  it('says why it asks when the ticket was used before', async () => {
    const { page, service } = await open();
    await page.goto(`${service.url}/#ticket=used-before`);
    await page.getByText('was used before').waitFor();
    expect(page.url()).not.toContain('ticket');
  });

  it('asks again once the host no longer accepts the token', async () => {
    const { page, service } = await open();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    service.host.token = 'another';
    service.dropStreams();
    await page.getByText('no longer accepts the token').waitFor();
    await page.getByRole('textbox', { name: 'Token' }).fill('another');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
  });
});

describe('the offline banner', () => {
  it('comes when the host stops and goes by itself, and the list is there all the time', async () => {
    const { page, service } = await open();
    addPlugin(service.host, 'com.example.words', { name: 'Words' });
    await page.goto(service.ticketUrl());
    await page.getByRole('button', { name: 'Words' }).waitFor();
    await service.stop();
    await page.getByText('The host does not answer').waitFor();
    expect(await page.getByRole('button', { name: 'Words' }).count()).toBe(1);
    addPlugin(service.host, 'com.example.new', { name: 'Newcomer' });
    await service.start();
    await page.getByText('The host does not answer').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Newcomer' }).waitFor();
    await expect.poll(() => service.listeners('notifications')).toBe(1);
  });

  it('asks for the health only while the host does not answer', async () => {
    const { page, service } = await open();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    await expect.poll(() => service.listeners('notifications')).toBe(1);
    expect(service.requests.filter((request) => request.endsWith('/api/health'))).toEqual([]);
  });

  it('heals a page that was opened before the host was up', async () => {
    const { page, service } = await open();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    await page.route('**/api/setup/status', (route) => route.abort());
    await page.route('**/api/health', (route) => route.abort());
    await page.reload();
    await page.getByText('The host cannot be used').waitFor();
    await page.unroute('**/api/setup/status');
    await page.unroute('**/api/health');
    await page.getByRole('navigation').waitFor();
  });
});

describe('the wizard', () => {
  it('goes on with the embedded database by one click and opens the shell without a reload', async () => {
    const { page, service } = await open();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.evaluate(() => Object.assign(window, { stays: true }));
    await page.getByRole('button', { name: 'Set up and continue' }).click();
    await page.getByRole('navigation').waitFor();
    expect(await page.evaluate(() => 'stays' in window)).toBe(true);
  });

  it('takes over the language that was chosen before there were settings', async () => {
    const { page, service } = await open(undefined, { locale: 'zh-CN' });
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByRole('button', { name: '完成设置并继续' }).click();
    await page.getByRole('navigation').waitFor();
    expect(service.host.settings.language).toBe('zh-CN');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
  });

  it('shows the fields of the chosen type and what its test says', async () => {
    const { page, service } = await open();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByRole('radio', { name: 'PostgreSQL' }).click();
    await page.getByRole('textbox', { name: 'Host' }).fill('db.example');
    expect(await page.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('5432');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('does not work (31 ms)').waitFor();
    await page.getByText('Connection refused').waitFor();
    await page.getByRole('radio', { name: 'SQLite' }).click();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Server version: SQLite 3.50').waitFor();
  });

  it('keeps what was typed when the set-up fails', async () => {
    const { page, service } = await open();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByRole('radio', { name: 'PostgreSQL' }).click();
    await page.getByRole('textbox', { name: 'Host' }).fill('db.example');
    await page.getByRole('textbox', { name: 'Password' }).fill('secret');
    await page.getByRole('button', { name: 'Set up and continue' }).click();
    await page.getByText('The server refused the connection.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('db.example');
  });

  it('shows a type that cannot be used with the reason, and does not let it be chosen', async () => {
    const { page, service } = await open();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByText('Java was not found. H2 needs it.').waitFor();
    expect(await page.getByRole('radio', { name: 'H2' }).isDisabled()).toBe(true);
  });

  it('says why the host is back and leads back to the old configuration', async () => {
    const { page, service } = await open();
    Object.assign(service.host.setup, {
      initialized: false,
      reason: {
        code: 'probe_failed',
        message: 'The server is away.',
        at: new Date().toISOString(),
      },
      previous: { type: 'POSTGRESQL', backup: 'datasource.properties.bak' },
    });
    service.host.settings.theme = 'dark';
    await page.goto(service.ticketUrl());
    await page.getByText('The server is away.').waitFor();
    await page
      .getByRole('button', { name: 'Continue with the old configuration (PostgreSQL)' })
      .click();
    await page.getByRole('navigation').waitFor();
    expect(service.requests).not.toContain('PUT /api/settings');
  });

  it('comes back when the host returns to its setup', async () => {
    const { page, service } = await open();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    service.host.setup.initialized = false;
    service.dropStreams();
    await page.getByRole('heading', { name: 'Set up the database' }).waitFor();
  });
});
