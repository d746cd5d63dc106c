import { expect, it } from 'vitest';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage } = hostPages();

it('the address of a source and servers as JSON stay typed while something else is looked at', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => void (location.hash = hash), path);

  const address = page.getByRole('textbox', { name: 'Address' });
  await goTo('/store');
  await page.getByRole('button', { name: 'Manage sources' }).click();
  await address.fill('acme/plugins');
  const servers = page.getByRole('textbox', { name: 'Servers as JSON' });
  await goTo('/mcp/import');
  await servers.fill('{"mcpServers":{"one":{"url":"http://127.0.0.1:9"}}}');

  await goTo('/store');
  await page.getByRole('button', { name: 'Manage sources' }).click();
  expect(await address.inputValue()).toBe('acme/plugins');
  await goTo('/mcp/import');
  await page.getByText('http://127.0.0.1:9').first().waitFor();
  await page.getByRole('button', { name: 'Add one server' }).waitFor();

  await page.getByRole('button', { name: 'Cancel' }).click();
  await goTo('/mcp/import');
  await servers.waitFor();
  expect(await page.getByText('http://127.0.0.1:9').count()).toBe(0);
});
