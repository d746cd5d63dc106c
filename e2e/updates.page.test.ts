import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api, hostVersion } from '../service/contract/index.ts';
import { startUpdateServer, type UpdateServer } from '../service/testing/update-server.ts';
import { hostPages } from './host-pages.ts';
import { run } from './run.ts';
import { packagedHost } from './packaged-host.ts';

const { hosts, page: currentPage, picture } = hostPages([409, 502]);

let server: UpdateServer;
test.beforeEach(async () => {
  server = await startUpdateServer();
});
test.afterEach(() => server.close());

const file = 'plugin-host-lite_99.1.0_amd64.deb';

/** Builds a minimal package with this name and version. */
async function makeDeb(): Promise<Buffer> {
  const folder = await hosts.makeFolder();
  const tree = join(folder, 'tree');
  await mkdir(join(tree, 'DEBIAN'), { recursive: true });
  const fields = ['Package: plugin-host-lite', 'Version: 99.1.0', 'Architecture: all'];
  const more = ['Maintainer: Nobody <nobody@example.invalid>', 'Description: for a test', ''];
  await writeFile(join(tree, 'DEBIAN', 'control'), [...fields, ...more].join('\n'));
  await writeFile(join(tree, 'padding'), randomBytes(400_000));
  const deb = join(folder, file);
  expect(run('dpkg-deb', ['--root-owner-group', '--build', tree, deb])).toMatchObject({ code: 0 });
  return readFile(deb);
}

test('an update is found and downloaded with its progress, and the command for an administrator is shown', async () => {
  const page = currentPage();
  const entry = await packagedHost(await hosts.makeFolder(), 'lite-deb');
  const host = await hosts.start({ entry, args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Updates/ }).click();
  const section = page.getByRole('region', { name: 'Updates' });
  await section.getByText(`Version ${hostVersion}`).waitFor();
  await section.getByText('This package cannot be updated here').waitFor();
  expect(await section.getByRole('button', { name: 'Check for updates' }).isDisabled()).toBe(true);

  await section.getByLabel('Update server').fill(server.base);
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByRole('button', { name: 'Check for updates' }).click();
  const alert = section.getByRole('alert');
  await alert.getByText('returned 404', { exact: false }).waitFor();

  const bytes = await makeDeb();
  const fields = { build: 'lite-deb', file };
  server.offer(bytes, { ...fields, version: hostVersion });
  await alert.getByRole('button', { name: 'Retry' }).click();
  await section.getByText('You have the latest version').waitFor();
  expect(await alert.count()).toBe(0);

  server.offer(bytes, { ...fields, version: '99.1.0' });
  const whole = server.answers.get(`/${file}`)!;
  let rest: () => void = () => undefined;
  server.answers.set(`/${file}`, (_request, response) => {
    response.writeHead(200, { 'Content-Length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
    rest = () => response.end(bytes.subarray(bytes.length / 2));
  });
  await section.getByRole('button', { name: 'Check for updates' }).click();
  await section.getByText('Version 99.1.0 is available').waitFor();
  await picture('updates-available');
  await section.getByRole('button', { name: 'Download' }).click();
  await section.getByText(/Downloading version 99\.1\.0: (49|50)%/).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await picture('updates-downloading');
  await section.getByRole('button', { name: 'Cancel' }).click();
  await section.getByText('Version 99.1.0 is available').waitFor();
  rest();

  server.answers.set(`/${file}`, whole);
  await section.getByRole('button', { name: 'Download' }).click();
  await section.getByText('Version 99.1.0 is ready').waitFor();
  await section.getByText('If the new version does not start').waitFor();
  await section.getByText(`update' '${join(host.workDirectory, '.host')}`).waitFor();
  await section.getByRole('button', { name: 'Restart to update' }).click();
  await alert.getByText('Run this in a terminal', { exact: false }).waitFor();
  await picture('updates-administrator');
  await client.call(api.settings.put, { body: { theme: 'dark', language: 'zh-CN' } });
  await page.reload();
  const chinese = page.getByRole('region', { name: '更新' });
  await chinese.getByRole('alert').getByText('此安装只能由管理员更新', { exact: false }).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await picture('updates-dark');
});
