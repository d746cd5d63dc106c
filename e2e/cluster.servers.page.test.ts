import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import { databaseServers, type DatabaseServer } from '../service/testing/database-servers/index.ts';
import type { BuiltHost } from './built-host.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, renew, picture } = hostPages([404, 409, 422]);
const { postgres } = databaseServers();
let server: DatabaseServer;
let database = '';
test.beforeAll(async () => {
  server = await postgres();
});
test.beforeEach(async () => {
  database = await server.makeDatabase();
});
test.afterEach(async () => {
  await hosts.cleanUp();
  await server.dropDatabase(database);
});

async function join(name: string): Promise<BuiltHost> {
  const host = await hosts.start({
    args: ['--web', '--port=0', '--host.cluster=true', `--host.cluster.name=${name}`],
  });
  const client = await host.client();
  const { host: address, port, username, password } = server;
  const params = { host: address, port, database, username, password };
  await client.call(api.setup.initialize, { body: { type: 'POSTGRESQL', params } });
  return host;
}

async function openHostSettings(host: BuiltHost) {
  const page = currentPage();
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Hosts/ }).click();
  await page.getByRole('heading', { name: 'Hosts', level: 2 }).waitFor();
  return page;
}

test('hosts are listed, share their secrets with a recovery text, and one is drained', async () => {
  const north = await join('north');
  const south = await join('south');
  const client = await north.client();
  await client.call(api.aiConfig.put, { body: { cloud_b: { apiKey: 'a-key-for-all-hosts' } } });

  let page = await openHostSettings(north);
  const list = page.getByRole('list', { name: 'Hosts' });
  await list.getByText('north', { exact: true }).waitFor();
  await list.getByText('south', { exact: true }).waitFor();
  const key = page.getByRole('region', { name: 'Cluster key' });
  await key.getByText('This host has the key.').waitFor();
  await key.getByRole('button', { name: 'Show recovery text' }).click();
  const text = await key.getByRole('textbox', { name: 'Recovery text' }).inputValue();
  expect(text).toMatch(/^(\w{7}-){7}\w{7}$/);
  expect(await seriousViolations(page)).toEqual([]);
  await key.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByRole('textbox', { name: 'Recovery text' })).toHaveCount(0);
  await list.getByRole('button', { name: 'Drain' }).last().click();
  await list.getByText('Draining').waitFor();

  await renew();
  page = await openHostSettings(south);
  const entry = page.getByRole('region', { name: 'Cluster key' });
  await entry.getByText('This host cannot read shared secrets.').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await picture('hosts-key-missing');
  const field = entry.getByRole('textbox', { name: 'Recovery text' });
  await field.fill(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`);
  await entry.getByRole('button', { name: 'Save' }).click();
  await entry.getByText('That is not a recovery text.').waitFor();
  await field.fill(text.toLowerCase());
  await page.keyboard.press('Enter');
  await entry.getByText('This host has the key.').waitFor();
  const other = await south.client();
  const { cloud_b } = await other.call(api.aiConfig.get);
  expect(cloud_b.apiKey).not.toBe('');
  expect(cloud_b).toEqual((await client.call(api.aiConfig.get)).cloud_b);
});
