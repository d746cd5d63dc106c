import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { xssCorpus } from '../renderer-shell/testing/xss-corpus.ts';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { signedBytes } from '../service/features/plugins/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { invoke, samplePackage } from '../service/testing/sample-plugin.ts';
import { type GitRepository, makeRepository } from '../service/testing/store/git-repository.ts';
import { type GitServer, startGitServer } from '../service/testing/store/git-server.ts';
import { type StaticServer, startStaticServer } from '../service/testing/store/static-server.ts';
import type { BuiltHost } from './built-host.ts';
import { hostPages } from './host-pages.ts';

const { hosts, page: currentPage, picture } = hostPages([400, 404, 409, 422]);
const guarded = 'claude.corner.guarded';
const asking = 'acme.asking';
let web: StaticServer;
let git: GitServer;
let repository: GitRepository;
let host: BuiltHost;
let client: Client;

test.beforeAll(async () => {
  web = await startStaticServer();
  repository = await makeRepository({
    'guarded/README.md': `# Guards\n\nReads *commands*.\n\n${xssCorpus.join('\n\n')}\n\n![pic](http://127.0.0.1:9/pic.png)\n`,
    'guarded/hooks/hooks.json': JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard.sh' }] }],
      },
    }),
    'guarded/skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds.\n---\nAdd.\n',
  });
  git = await startGitServer({ plugins: repository });
});
test.afterAll(async () => {
  await web.close();
  await git.close();
  await repository.close();
});

const source = () => `${web.baseUrl}/corner.json`;
const packages = () => `${web.baseUrl}/packages.json`;

/** Publishes the catalog of the repository with this version of the plugin. */
function publish(version: string, more: object[] = []): void {
  const from = (ref: string) => ({
    source: { source: 'git-subdir', url: git.urlOf('plugins'), path: 'guarded', ref },
  });
  const plugins = [
    {
      name: 'guarded',
      version,
      description: 'Guards commands.',
      category: 'safety',
      ...from('main'),
    },
    { name: 'broken', description: 'Is not there.', category: 'safety', ...from('gone') },
    ...more,
  ];
  const owner = { name: 'The tests' };
  // The server's ETag depends on the length and the end of the text.
  const text = JSON.stringify({ name: 'corner', owner, plugins, metadata: { version } });
  web.files.set('/corner.json', text);
}

async function publishPackage(version: string, permissions: string[]): Promise<void> {
  const manifest = { id: asking, name: 'Asking', version, permissions };
  web.files.set(`/${version}.plugin`, await packPlugin({ manifest }));
  const plugins = [{ ...manifest, package: `${version}.plugin` }];
  web.files.set('/packages.json', JSON.stringify({ name: 'Packages', plugins }));
}

test.beforeEach(async () => {
  git.instead = () => false;
  publish('1.0.0');
  await publishPackage('1.0.0', ['notifications']);
  host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
  client = await host.client();
});

const add = (url: string) => client.call(api.store.addSource, { body: { url } });
const install = (id: string) => client.call(api.market.install, { params: { id } });

async function openStore(at = ''): Promise<Page> {
  const page = currentPage();
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('button', { name: /^Store/ }).click();
  await page.getByRole('heading', { level: 1, name: 'All plugins' }).waitFor();
  if (at !== '') await page.evaluate((id) => (location.hash = `#/store/${id}`), at);
  return page;
}

const palette = async (page: Page, query: string): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.locator('[role="combobox"]:focus').waitFor();
  await page.keyboard.type(query);
  await page.keyboard.press('Enter');
};

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
      return label ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab does not lead to ${name.source}`);
}

const hasRun = (page: Page): Promise<boolean> => page.evaluate(() => 'hacked' in window);

/** Delays git's answers until the returned function is called. */
function hold(): () => void {
  const pendingAnswers: (() => void)[] = [];
  git.instead = (req, _res, goOn) => {
    if (req.method !== 'POST') return false;
    pendingAnswers.push(goOn);
    return true;
  };
  return () => {
    git.instead = () => false;
    for (const goOn of pendingAnswers.splice(0)) goOn();
  };
}

test('a source is added, and a plugin found, read about and installed with the keyboard alone', async () => {
  const page = await openStore();
  await palette(page, 'add a source to the store');
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
  await tabTo(page, /^Address$/);
  await page.keyboard.type('/not/an/address');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a folder of this machine as file:///').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(source());
  await page.keyboard.press('Enter');
  await page.getByText('corner added.').waitFor();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('guards');
  await page.getByRole('list', { name: 'Store plugins' }).getByText('guarded').waitFor();
  await expect.poll(() => page.locator('.card').count()).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('card-open');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'guarded' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/store/${guarded}`);
  const facts = page.getByRole('complementary', { name: 'About this plugin' });
  await facts.getByText(git.urlOf('plugins')).waitFor();
  await page.getByText(`Its files are downloaded from ${new URL(git.base).host}`).waitFor();
  await tabTo(page, /^Preview contents$/);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Skills' }).getByText('sum').waitFor();
  await page.getByRole('list', { name: 'Hooks' }).getByText('guard.sh').waitFor();
  await page.getByText('Nothing here runs until you install').waitFor();
  await page.getByRole('heading', { name: 'Guards' }).waitFor();
  expect(await page.getByRole('button', { name: 'Trust…' }).count()).toBe(0);
  await picture('store-look');
  await page.getByRole('button', { name: 'Back to the list' }).focus();
  await tabTo(page, /^Install$/);
  await page.keyboard.press('Enter');
  await page.getByText('Installed', { exact: true }).waitFor();
  const readme = page.getByRole('region', { name: 'README' });
  await readme.getByRole('heading', { name: 'Guards' }).waitFor();
  await page.getByRole('list', { name: 'Skills' }).getByText('sum').waitFor();
  await page.getByRole('list', { name: 'Hooks' }).getByText('guard.sh').waitFor();
  await facts.getByText(await repository.git('rev-parse', '--short=12', 'HEAD')).waitFor();
  expect(await hasRun(page)).toBe(false);
  expect(
    await page.locator('.store-readme img, .store-readme script, .store-readme iframe').count(),
  ).toBe(0);
  await picture('store-details');
  await tabTo(page, /^Open$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'guarded' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/plugins/${guarded}`);
});

test('the contents of a local plugin are shown at once, and those of a remote one can be cancelled', async () => {
  const plugins = [{ name: 'guarded', source: './guarded' }];
  const marketplace = { name: 'beside', owner: { name: 'The tests' }, plugins };
  await repository.commit({ '.claude-plugin/marketplace.json': JSON.stringify(marketplace) });
  await add(git.urlOf('plugins'));
  const page = await openStore('claude.beside.guarded');
  await page.getByRole('list', { name: 'Hooks' }).getByText('guard.sh').waitFor();
  const facts = page.getByRole('complementary', { name: 'About this plugin' });
  await facts.getByText('Size').waitFor();

  await add(source());
  const goOn = hold();
  await page.evaluate((id) => (location.hash = `#/store/${id}`), guarded);
  await page.getByRole('button', { name: 'Preview contents' }).click();
  await page.getByText('Downloading and reading files').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Preview contents' }).waitFor();
  goOn();
  await page.getByRole('button', { name: 'Preview contents' }).click();
  await page.getByRole('list', { name: 'Skills' }).getByText('sum').waitFor();
  await repository.commit({ '.claude-plugin/marketplace.json': null });
});

test.describe('an installation', () => {
  test('shows its progress, continues in the background and after a reload, and can be cancelled and restarted', async () => {
    await add(source());
    const page = await openStore(guarded);
    const letGo = hold();
    await page.getByRole('main').getByRole('button', { name: 'Install', exact: true }).click();
    const progress = page.getByRole('group', { name: 'Installing' });
    await progress.getByRole('progressbar').waitFor();
    await progress.getByText('Continues when you leave this page.').waitFor();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.reload();
    await page.getByRole('button', { name: /^Store/ }).click();
    await page
      .locator('.card')
      .filter({ hasText: 'Guards commands.' })
      .getByRole('progressbar')
      .waitFor();
    await page.getByRole('button', { name: /^guarded/ }).click();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Installation cancelled. Nothing was changed.').waitFor();
    expect((await client.call(api.market.details, { params: { id: guarded } })).installed).toBe(
      false,
    );
    letGo();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Installed', { exact: true }).waitFor();
    await page.getByText('None of them run until you trust it').waitFor();
    await page.getByRole('button', { name: 'Trust…' }).waitFor();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Uninstall…' }).click();
    await page.getByRole('button', { name: 'Uninstall', exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: 'Install', exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/store/${guarded}`);
  });

  test('that fails shows the reason, and is retried on demand', async () => {
    await add(source());
    const page = await openStore('claude.corner.broken');
    await page.getByRole('main').getByRole('button', { name: 'Install', exact: true }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'Installation failed' });
    await failure.getByText('it has no such branch, tag or commit').waitFor();
    await repository.git('branch', 'gone');
    await failure.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Installed', { exact: true }).waitFor();
    await repository.git('branch', '-D', 'gone');
  });

  test('of a package shows the requested permissions first', async () => {
    await add(packages());
    const page = await openStore();
    await page.getByRole('button', { name: 'Install: Asking' }).click();
    const dialog = page.getByRole('dialog', { name: 'Install Asking?' });
    await dialog.getByText('Show notifications in the host').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Install: Asking' }).click();
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await page.locator('.card').filter({ hasText: 'Asking' }).getByText('Installed').waitFor();
  });
});

test('updates are found and installed together, and those with new permissions are shown first', async () => {
  await add(source());
  await add(packages());
  await install(guarded);
  await install(asking);
  const page = await openStore();
  await repository.commit({ 'guarded/skills/sum/SKILL.md': '---\nname: total\n---\nAdd.\n' });
  publish('1.1.0');
  await publishPackage('2.0.0', ['notifications', 'network']);
  await palette(page, 'check for plugin updates');
  await page.getByRole('button', { name: 'Store, 2 updates' }).waitFor();
  const rows = page.getByRole('list', { name: 'Updates' });
  await rows.getByText('→ 2.0.0').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Update all' }).click();
  await page.getByText('1 plugin was updated.').waitFor();
  await page.getByText('1 plugin needs new permissions. Review it first.').waitFor();
  await rows.getByRole('listitem').filter({ hasText: 'guarded' }).getByText('Updated').waitFor();
  await picture('store-updates');
  await page.getByRole('button', { name: 'View details: Asking' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Asking?' });
  const network = dialog.getByRole('listitem').filter({ hasText: 'Use the network' });
  await network.getByText('new', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Update to 2.0.0' }).click();
  await page.getByText('2 plugins were updated.').waitFor();
  await page.getByRole('button', { name: 'Store', exact: true }).waitFor();
  const { version, permissions } = await client.call(api.market.details, {
    params: { id: asking },
  });
  expect({ version, permissions }).toEqual({
    version: '2.0.0',
    permissions: ['notifications', 'network'],
  });

  await publishPackage('1.0.0', ['notifications']);
  await palette(page, 'check for plugin updates');
  await page.evaluate((id) => (location.hash = `#/store/${id}`), asking);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Downgrade to 1.0.0…' }).click();
  await page.getByRole('dialog').getByText('The older version may not be able to read').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Downgrade to 1.0.0' }).click();
  await page.getByText('Updated').waitFor();
});

test('a source that fails hides nothing of the others, and sources are switched off and removed', async () => {
  await add(source());
  await add(packages());
  const page = await openStore();
  await page.locator('.card').filter({ hasText: 'Asking' }).waitFor();
  web.files.set('/packages.json', 'no catalogue');
  await page.getByRole('button', { name: 'Check for updates' }).click();
  const status = page.getByRole('status').filter({ hasText: 'A source could not be read' });
  await status.getByText(/^Packages: /).waitFor();
  await page.locator('.card').filter({ hasText: 'Guards commands.' }).waitFor();
  await page.locator('.card').filter({ hasText: 'Asking' }).waitFor();
  await publishPackage('1.0.1', []);
  await status.getByRole('button', { name: 'Retry' }).click();
  await status.waitFor({ state: 'detached' });
  await page.locator('.card').filter({ hasText: '1.0.1' }).waitFor();

  await page.getByRole('button', { name: 'Manage sources' }).click();
  const line = page.getByRole('main').getByRole('listitem').filter({ hasText: packages() });
  await line.getByText('1 plugin · refreshed').waitFor();
  await page.getByRole('switch', { name: 'Show plugins from Packages' }).press('Space');
  await expect
    .poll(async () => (await client.call(api.store.sources)).map(({ enabled }) => enabled))
    .toEqual([true, true, false]);
  await page.getByRole('button', { name: 'Remove: corner' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove corner?' });
  await dialog
    .getByText('2 plugins that are not installed will disappear from the store.')
    .waitFor();
  await dialog.getByRole('button', { name: 'Remove source' }).click();
  await page.getByRole('main').getByText(source()).waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Address' }).fill(`${web.baseUrl}/nothing.json`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'its catalog could not be read' }).waitFor();
  await picture('store-sources');
});

test('settings that a plugin of the store needs are requested on installation, and reach its worker', async () => {
  const key = { type: 'string', title: 'API key', required: true, sensitive: true };
  const userConfig = {
    key,
    unit: { type: 'string', title: 'Unit', default: 'km' },
    report: { type: 'file', title: 'Report' },
  };
  const manifest = { id: asking, name: 'Asking', permissions: ['files.read'], userConfig };
  web.files.set('/1.0.0.plugin', await samplePackage({ manifest }));
  const entry = { id: asking, name: 'Asking', version: '1.0.0', package: '1.0.0.plugin' };
  web.files.set('/packages.json', JSON.stringify({ name: 'Packages', plugins: [entry] }));
  await add(packages());
  const page = await openStore(asking);
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Asking settings' });
  await dialog.getByLabel('API key').fill('a-secret-key-of-the-test');
  await dialog.getByLabel('Report').fill('/no/such/report.txt');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog
    .getByText('The settings cannot be stored: Report is not a file on this computer')
    .waitFor();
  const report = join(host.workDirectory, 'report.txt');
  await writeFile(report, 'now it is there');
  await dialog.getByLabel('Report').fill(report);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { config } = (await invoke({ client }, asking, 'initialized')) as { config: object };
  expect(config).toMatchObject({ key: 'a-secret-key-of-the-test', unit: 'km' });

  await rm(report);
  await page.evaluate((id) => (location.hash = `#/plugins/${id}`), asking);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Settings…' }).click();
  expect(await dialog.getByLabel('API key').inputValue()).toBe('a-se***test');
  await dialog.getByRole('alert').filter({ hasText: 'There is nothing at this path' }).waitFor();
  await dialog.getByLabel('API key').fill('');
  await dialog.getByLabel('Report').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a value for API key to use this plugin.').waitFor();
  expect(await page.content()).not.toContain('a-secret-key-of-the-test');
});

test('a plugin that is unusable here or needs the network says so before and after', async () => {
  const lspServers = { rusty: { command: 'rust-analyzer' } };
  const marketplace = {
    name: 'languages',
    owner: { name: 'The tests' },
    plugins: [
      { name: 'rust', source: './rust', description: 'For Rust.', lspServers },
      { name: 'far', source: { source: 'url', url: 'https://example.com/far.git' } },
    ],
  };
  await repository.commit({
    '.claude-plugin/marketplace.json': JSON.stringify(marketplace),
    'rust/README.md': '# Rust\n',
  });
  await add(git.urlOf('plugins'));
  const page = await openStore();
  const card = page.locator('.card').filter({ hasText: 'For Rust.' });
  await card.getByText('Nothing usable in this host').waitFor();
  await page.evaluate(() => (location.hash = '#/store/claude.languages.far'));
  await page.getByText('Requires network access to install').waitFor();
  await page.evaluate(() => (location.hash = '#/store/claude.languages.rust'));
  const nothing = page.getByText('This plugin adds nothing that this host can use');
  await nothing.first().waitFor();
  const warning = page.getByText('Language servers are not supported and are left out: rusty.');
  await warning.first().waitFor();
  expect(await page.getByText('Requires network access to install').count()).toBe(0);
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const ended = page.getByRole('status').filter({ hasText: 'Installed' });
  await ended.getByText('This plugin adds nothing that this host can use').waitFor();
  await ended.getByText('left out: rusty.').waitFor();
  await picture('store-nothing-usable');
});

test('the page of a signed plugin names the source and the fingerprint of its key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const file = await packPlugin({ manifest: { id: asking, name: 'Asking', version: '1.0.0' } });
  const sha256 = createHash('sha256').update(file).digest('hex');
  const signed = signedBytes({ id: asking, version: '1.0.0', sha256 });
  const signature = sign(null, signed, privateKey).toString('base64');
  web.files.set('/signed.plugin', file);
  const entry = { id: asking, name: 'Asking', version: '1.0.0', package: 'signed.plugin' };
  const plugins = [{ ...entry, sha256, signature }];
  web.files.set('/signed.json', JSON.stringify({ name: 'Signed packages', plugins }));
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const body = { url: `${web.baseUrl}/signed.json`, publicKey: pem };
  await client.call(api.store.addSource, { body });
  const page = await openStore(asking);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(der).digest('base64').replace(/=$/, '');
  const facts = page.getByRole('complementary', { name: 'About this plugin' });
  await facts.getByText('Signed by').waitFor();
  await facts.getByText(`Signed packages · SHA256:${fingerprint}`).waitFor();
});

test('hostile texts are shown as text, without serious accessibility violations in both themes', async () => {
  const { source: from } = {
    source: { source: 'git-subdir', url: git.urlOf('plugins'), path: 'x' },
  };
  publish(
    '1.0.0',
    xssCorpus.map((text, index) => ({
      name: `bad-${index}`,
      displayName: text,
      description: text,
      category: text,
      author: { name: text },
      keywords: [text],
      source: from,
    })),
  );
  await add(source());
  const page = await openStore();
  await page.getByText('guarded').first().waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await client.call(api.settings.put, { body: { theme } });
    for (const at of ['', '~sources', '~updates', 'claude.corner.bad-1', guarded]) {
      await page.evaluate((id) => (location.hash = `#/store/${id}`), at);
      await page.reload();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']))
        .toBe(theme);
      await page.locator('main:not([hidden]) h1').waitFor();
      if (at.startsWith('claude')) await page.getByRole('heading', { name: 'README' }).waitFor();
      else await page.getByRole('button', { name: 'Manage sources' }).waitFor();
      expect(await seriousViolations(page), `${theme} ${at}`).toEqual([]);
      expect(await hasRun(page)).toBe(false);
      await picture(`store-${theme}-${at.replaceAll(/\W/g, '') || 'grid'}`);
    }
  }
});
