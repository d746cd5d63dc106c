import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { type GitRepository, makeRepository } from '../service/testing/store/git-repository.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages();
let repository: GitRepository;

const id = 'claude.local.guarded';
const command = '${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh';

test.beforeAll(async () => {
  repository = await makeRepository({
    'guarded/hooks/hooks.json': JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }],
        SessionStart: [{ hooks: [{ type: 'command', command: 'hello.sh' }] }],
      },
    }),
    'guarded/hooks/guard.sh': '#!/bin/sh\nexit 0\n',
    'guarded/skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds.\n---\nAdd.\n',
  });
});
test.afterAll(() => repository.close());

test('a plugin installed from git shows its contributions, is trusted, and reports when they changed', async () => {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  const source = { source: 'git-subdir', url: repository.url, path: 'guarded' };
  const catalog = join(host.workDirectory, 'catalog.json');
  const plugins = [{ name: 'guarded', description: 'Guards commands.', source }];
  await writeFile(
    catalog,
    JSON.stringify({ name: 'local', owner: { name: 'The tests' }, plugins }),
  );
  await client.call(api.store.addSource, { body: { url: pathToFileURL(catalog).href } });
  const trust = async () =>
    (await client.call(api.contributions.hooks)).find(({ pluginId }) => pluginId === id);
  await client.call(api.market.install, { params: { id } });

  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: /^guarded.*Enabled/ }).click();
  await page.getByText('Guards commands.').waitFor();
  await page.getByRole('list', { name: 'Skills' }).getByText('sum').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  const hooks = page.getByRole('list', { name: 'Hooks' }).getByRole('listitem');
  await hooks.filter({ hasText: 'Before a tool runs' }).getByText(command).waitFor();
  await hooks.filter({ hasText: 'hello.sh' }).getByText('not supported here').waitFor();
  await picture('brought');

  await page.getByRole('button', { name: 'Trust…' }).click();
  expect((await trust())?.state).toBe('untrusted');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await page.getByText('Trusted', { exact: true }).waitFor();
  expect((await trust())?.state).toBe('trusted');

  const folder = join(host.workDirectory, '.host', 'plugins', id);
  await writeFile(join(folder, 'hooks', 'guard.sh'), '#!/bin/sh\nexit 2\n');
  await page.reload();
  await page.getByText('Changed since you trusted it').waitFor();
  await page.getByRole('button', { name: 'Revoke trust' }).click();
  await page.getByText('Not trusted').waitFor();
  expect((await trust())?.state).toBe('untrusted');
});
