import { expect, test } from '@playwright/test';
import { addPlugin } from '../../testing/fake-host.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { blank } = shellTests();

test.describe('signing in', () => {
  test('uses the ticket of the address once and stores it nowhere', async () => {
    const { page, service } = await blank();
    const address = service.ticketUrl();
    const ticket = address.split('=')[1] ?? '';
    await page.goto(address);
    await page.getByRole('navigation').waitFor();
    expect(page.url()).not.toContain('ticket');
    expect(service.host.webTickets.size).toBe(0);
    const stored = await page.evaluate(() =>
      JSON.stringify([
        Object.entries(sessionStorage),
        Object.entries(localStorage),
        document.cookie,
      ]),
    );
    expect(stored).not.toContain(ticket);
    expect(stored.split(service.host.token)).toHaveLength(2);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('ticket');
  });

  test('stays signed in after a reload', async () => {
    const { page, service } = await blank();
    addPlugin(service.host, 'com.example.words', { name: 'Words' });
    await page.goto(service.ticketUrl());
    await page.getByRole('complementary').getByRole('button', { name: 'Words' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
    expect(service.requests.filter((request) => request.includes('web/session'))).toHaveLength(1);
  });

  test('asks for the token, rejects a wrong one, and continues with the right one', async () => {
    const { page, service } = await blank();
    await page.goto(service.url);
    await page.getByText('HOST_TOKEN=').first().waitFor();
    const field = page.getByRole('textbox', { name: 'Token' });
    await field.fill('not the token');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('This token is not valid').waitFor();
    await field.fill(`HOST_TOKEN=${service.host.token}`);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
  });

  test('explains why it asks when the ticket was already used', async () => {
    const { page, service } = await blank();
    await page.goto(`${service.url}/#ticket=used-before`);
    await page.getByText('has already been used').waitFor();
    expect(page.url()).not.toContain('ticket');
  });

  test('asks again once the host token of this page is no longer valid', async () => {
    const { page, service } = await blank();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    service.host.token = 'another';
    service.dropStreams();
    await page.getByText('token of this page is no longer valid').waitFor();
    await page.getByRole('textbox', { name: 'Token' }).fill('another');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
  });
});

test.describe('on the desktop', () => {
  test('needs no token, since the main process adds it', async () => {
    const { page, service } = await blank();
    const sent: (string | undefined)[] = [];
    await page.addInitScript(() =>
      Object.assign(window, {
        hostBridge: { baseUrl: '', onPackage() {}, onNavigate() {}, onInstall() {} },
      }),
    );
    await page.route('**/api/**', (route) => {
      const headers = route.request().headers();
      sent.push(headers['x-host-token']);
      return route.continue({ headers: { ...headers, 'x-host-token': service.host.token } });
    });
    await page.goto(service.url);
    await page.getByRole('navigation').waitFor();
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent)).toEqual(new Set([undefined]));
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

test.describe('the offline banner', () => {
  test('appears when the host stops and disappears by itself, while the list stays visible', async () => {
    const { page, service } = await blank();
    addPlugin(service.host, 'com.example.words', { name: 'Words' });
    await page.goto(service.ticketUrl());
    await page.getByRole('complementary').getByRole('button', { name: 'Words' }).waitFor();
    await service.stop();
    await page.getByText('The host is not responding').waitFor();
    expect(
      await page.getByRole('complementary').getByRole('button', { name: 'Words' }).count(),
    ).toBe(1);
    addPlugin(service.host, 'com.example.new', { name: 'Newcomer' });
    await service.start();
    await page.getByText('The host is not responding').waitFor({ state: 'detached' });
    await page.getByRole('complementary').getByRole('button', { name: 'Newcomer' }).waitFor();
    await expect.poll(() => service.listeners('notifications')).toBe(1);
  });

  test('polls the health only while the host does not answer', async () => {
    const { page, service } = await blank();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    await expect.poll(() => service.listeners('notifications')).toBe(1);
    expect(service.requests.filter((request) => request.endsWith('/api/health'))).toEqual([]);
  });

  test('recovers a page that was opened before the host was running', async () => {
    const { page, service } = await blank();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    await page.route('**/api/setup/status', (route) => route.abort());
    await page.route('**/api/health', (route) => route.abort());
    await page.reload();
    await page.getByText('Unable to connect to the host').waitFor();
    await page.unroute('**/api/setup/status');
    await page.unroute('**/api/health');
    await page.getByRole('navigation').waitFor();
  });
});
