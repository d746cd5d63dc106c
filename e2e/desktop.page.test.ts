import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, type Route, test } from '@playwright/test';
import { bridgeChannels } from '../service/contract/desktop-bridge.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { startStaticServer } from '../service/testing/store/static-server.ts';
import { serveWeb } from '../service/testing/web-server.ts';
import { newWorkflow, paletteIn, stepOf } from './workflow-pages.ts';
import { type DesktopApp, electronBinary, startDesktop, startStandIn } from './desktop-app.ts';

let folder: string;
let app: DesktopApp | undefined;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desktop-'));
});
test.afterEach(async () => {
  await app?.quit();
  app = undefined;
  await rm(folder, { recursive: true, force: true });
});

const work = (): string => join(folder, 'work');

/** Sends a request to the service as a script of the page does. */
const askAsPage = ({ page }: DesktopApp, path: string, body: object): Promise<[number, string]> =>
  page.evaluate(
    async ([url, sent]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: sent });
      const { code = '' } = (await answer.json()) as { code?: string };
      return [answer.status, code];
    },
    [path, JSON.stringify(body)] as const,
  );

test.describe('the desktop', () => {
  test('shows the shell with the service behind it, and the page never sees the token', async () => {
    app = await startDesktop(work());
    const { page } = app;
    const sent: (string | undefined)[] = [];
    page.on('request', (request) => sent.push(request.headers()['x-host-token']));
    await page.getByRole('navigation').first().waitFor();
    await page.reload();
    await page.getByRole('navigation').first().waitFor();
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.every((token) => token === undefined)).toBe(true);
    const held = await page.evaluate(() => [
      Object.keys(sessionStorage).filter((key) => /token/i.test(key)),
      typeof (window as { require?: unknown }).require,
      typeof (window as { process?: unknown }).process,
    ]);
    expect(held).toEqual([[], 'undefined', 'undefined']);
    expect(await app.quit()).toBe(0);
  });

  test('opens a package as an inspection, installs nothing by that, and then what the person agrees to', async () => {
    const path = join(folder, 'opened.plugin');
    await writeFile(path, await packPlugin({ manifest: { id: 'acme.opened', name: 'Opened' } }));
    app = await startDesktop(work(), path);
    const dialog = app.page.getByRole('dialog');
    await dialog.getByText('acme.opened').first().waitFor();
    expect(await installed()).not.toContain('acme.opened');
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await expect.poll(installed).toContain('acme.opened');
  });

  test('queues a package that is opened while another one is being inspected', async () => {
    const paths = ['first', 'second'].map((name) => join(folder, `${name}.plugin`));
    for (const path of paths) {
      const id = `acme.${basename(path, '.plugin')}`;
      await writeFile(path, await packPlugin({ manifest: { id, name: id } }));
    }
    app = await startDesktop(work(), ...paths);
    const dialog = app.page.getByRole('dialog');
    await dialog.getByText('acme.first').first().waitFor();
    expect(await dialog.getByText('acme.second').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByText('acme.second').first().waitFor();
    expect(await installed()).toContain('acme.first');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await installed()).not.toContain('acme.second');
  });

  test('opens a link to a plugin as a question, and installs only what the person agrees to', async () => {
    const web = await startStaticServer();
    const plugins = await Promise.all(
      ['first', 'later'].map(async (name) => {
        const manifest = { id: `acme.${name}`, name, version: '1.0.0' };
        web.files.set(`/${name}.plugin`, await packPlugin({ manifest }));
        return { ...manifest, package: `${name}.plugin` };
      }),
    );
    web.files.set('/packages.json', JSON.stringify({ name: 'Packages', plugins }));
    const catalog = `-Dhost.marketplace.catalog-url=${web.baseUrl}/packages.json`;
    app = await startDesktop(work(), catalog, 'plugin-host://install?plugin=acme.first');
    const dialog = app.page.getByRole('dialog');
    await dialog.getByText('Install first').first().waitFor();
    expect(await installed()).not.toContain('acme.first');
    // A later request does not replace what the person is reading.
    await app.openAgain('plugin-host://install?plugin=acme.later');
    await expect.poll(() => app?.page.evaluate(() => location.hash)).toBe('#/store/acme.later');
    expect(await dialog.getByText('later').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Install', exact: false }).click();
    await expect.poll(installed).toContain('acme.first');
    await app.openAgain('plugin-host://install?plugin=acme.later');
    await dialog.getByText('Install later').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await installed()).not.toContain('acme.later');
    await web.close();
  });

  test('accepts no file path from the page that nobody chose', async () => {
    const path = join(folder, 'unchosen.plugin');
    await writeFile(path, await packPlugin({ manifest: { id: 'acme.unchosen' } }));
    app = await startDesktop(work());
    await app.page.getByRole('navigation').first().waitFor();
    for (const action of ['inspect-native', 'upload-native'])
      expect(await askAsPage(app, `/api/plugin-market/${action}`, { path })).toEqual([
        403,
        'not_chosen',
      ]);
    expect(await installed()).not.toContain('acme.unchosen');
  });

  test('renders pages of models in a hidden window of their own', async () => {
    const html = '<title>Seen</title><h1>Read by a model</h1>';
    const site = await serveWeb((_request, response) => {
      response.setHeader('content-type', 'text/html').end(html);
    });
    app = await startDesktop(work(), `-Dhost.web.allow=${site.allow}`);
    const { page } = app;
    await page.getByRole('navigation').first().waitFor();
    const call = (tool: string, args: object, dependsOn: number[]) => ({
      tool: `browser_${tool}`,
      title: tool,
      arguments: args,
      dependsOn,
    });
    const steps = [
      call('navigate', { url: site.base }, []),
      call('screenshot', {}, [0]),
      call('read', {}, [1]),
    ];
    const config = { planApproval: false, permissionMode: 'full-access' };
    const runId = await page.evaluate(
      async ([body]) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch('/api/agent/run', { method: 'POST', headers, body });
        return ((await answer.json()) as { runId: string }).runId;
      },
      [JSON.stringify({ goal: 'Look', workflow: { steps }, config })] as const,
    );
    const run = async () => {
      const text = await page.evaluate(
        async (url) => (await fetch(url)).text(),
        `/api/agent/runs/${runId}`,
      );
      return JSON.parse(text) as { status: string; executions: { result?: unknown }[] };
    };
    const ended = async () => ['completed', 'failed'].includes((await run()).status);
    await expect.poll(ended, { timeout: 90_000 }).toBe(true);
    const { status, executions } = await run();
    expect(status).toBe('completed');
    const [, screenshot, text] = executions.map(({ result }) => JSON.stringify(result));
    expect(screenshot).toContain('image/png');
    expect(text).toContain('Read by a model');
    await site.close();
  });

  test('shows the settings that have an effect on the desktop, and keeps what has to be known before the next start', async () => {
    app = await startDesktop(work());
    const { page } = app;
    await page.getByRole('navigation').first().waitFor();
    await page.evaluate(() => (location.hash = '/settings/look'));
    const section = page.getByRole('region', { name: 'Desktop app' });
    await section.getByRole('switch', { name: 'Keep running in the tray' }).waitFor();
    // A program in development cannot be started at login.
    expect(await section.getByRole('switch', { name: 'Open at login' }).count()).toBe(0);
    await section.getByRole('switch', { name: 'Disable GPU' }).click({ force: true });
    const early = join(work(), '.host', 'config', 'desktop.json');
    await expect.poll(() => readFile(early, 'utf8').catch(() => '')).toBe('{"disableGpu":true}');
  });

  test('gives the page of a plugin nothing from the shell', async () => {
    const path = join(folder, 'asking-shell.plugin');
    const files = { 'ui/index.html': '<!doctype html><title>asking</title><p>page</p>' };
    await writeFile(path, await packPlugin({ manifest: { id: 'acme.shell' }, files }));
    app = await startDesktop(work(), path);
    const { page } = app;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    const selector = 'iframe[title$=" page"]';
    await page.frameLocator(selector).getByText('page').waitFor();
    const frame = await (await page.locator(selector).elementHandle())?.contentFrame();
    const results = await frame?.evaluate(async () => {
      const [shell = ''] = [...location.ancestorOrigins];
      const url = `${shell}/api/settings`;
      const outcome = (answer: Promise<unknown>): Promise<string> =>
        answer.then(
          () => 'answered',
          () => 'refused',
        );
      const image = new Promise((resolve, reject) => {
        const picture = new Image();
        Object.assign(picture, { onload: resolve, onerror: reject, src: url });
      });
      const body = '{"theme":"dark"}';
      return Promise.all([
        outcome(fetch(url)),
        outcome(fetch(url, { mode: 'no-cors' })),
        outcome(fetch(url, { mode: 'no-cors', method: 'POST', body })),
        outcome(image),
      ]);
    });
    expect(results).toEqual(['refused', 'refused', 'refused', 'refused']);
    const settings = await page.evaluate(async () => (await fetch('/api/settings')).json());
    expect(settings).toMatchObject({ theme: 'light' });
  });

  test('saves a complete backup where the person wants it, or none', async () => {
    app = await startDesktop(work());
    const { page } = app;
    await page.getByRole('navigation').first().waitFor();
    await page.evaluate(() => (location.hash = '/settings/data'));
    const target = join(folder, 'kept.zip');
    await app.answer(target);
    await page.getByRole('button', { name: 'Save a backup…' }).first().click();
    await expect
      .poll(() =>
        readFile(target, 'latin1').then(
          (text) => text.slice(0, 2),
          () => '',
        ),
      )
      .toBe('PK');
    expect(await readdir(folder)).toEqual(['kept.zip', 'work']);
    const { dialogs } = await app.asked();
    expect(dialogs.map(([kind]) => kind)).toEqual(['save']);
  });
});

if (electronBinary === undefined)
  test.describe('the desktop, on the stand-in', () => {
    test('keeps running in the tray without its window, restores it, and ends when it quits', async () => {
      const alone = await startStandIn([`--work-dir=${work()}`, '--port=0', '--setup=SQLITE']);
      app = alone;
      const { page } = alone;
      await page.getByRole('navigation').first().waitFor();
      const put = { method: 'PUT', headers: { 'Content-Type': 'application/json' } };
      await page.evaluate(([init, body]) => fetch('/api/settings', { ...init, body }), [
        put,
        JSON.stringify({ keepInTray: true, language: 'zh-CN' }),
      ] as const);
      await expect
        .poll(async () => (await seen(alone)).trays)
        .toEqual([['显示 Plugin Host', '', '退出']]);
      await alone.do({ do: 'close-window' });
      // Without a visible tray icon, a hidden window could not be brought back.
      await expect
        .poll(async () => (await seen(alone)).windows)
        .toMatchObject([{ minimized: true }]);
      await alone.do({ do: 'click-tray', label: '显示 Plugin Host' });
      expect((await seen(alone)).windows).toMatchObject([
        { shown: true, focused: true, minimized: false },
      ]);
      expect(await alone.quit()).toBe(0);
    });

    test('asks once about an active run; quits on request, or on a signal without a question', async () => {
      const alone = await startStandIn([`--work-dir=${work()}`, '--port=0', '--setup=SQLITE']);
      app = alone;
      const { page } = alone;
      await page.getByRole('navigation').first().waitFor();
      const step = { tool: 'browser_navigate', title: 'Look', dependsOn: [] };
      const steps = [{ ...step, arguments: { url: 'https://example.org/' } }];
      const body = { goal: 'Look', workflow: { steps }, config: { planApproval: true } };
      expect(await askAsPage(alone, '/api/agent/run', body)).toEqual([200, '']);
      await alone.do({ do: 'close-window' });
      const messages = async () =>
        (await alone.asked()).dialogs.map(([, { message }]) => message as string);
      await expect.poll(messages).toEqual(['1 run is active. Quit anyway?']);
      expect((await seen(alone)).windows).toHaveLength(1);
      expect(await alone.signal('SIGTERM')).toBe(0);
      expect(await readdir(join(work(), '.host'))).not.toContain('host.lock');
    });

    test('keeps edits that cannot be saved until the person lets go of them', async () => {
      const alone = await startStandIn([`--work-dir=${work()}`, '--port=0', '--setup=SQLITE']);
      app = alone;
      const { page } = alone;
      await page.getByRole('button', { name: 'Workflows', exact: true }).click();
      await newWorkflow(page);
      const refuse = (route: Route) =>
        route.request().method() === 'GET' ? route.continue() : route.abort();
      await page.route('**/api/workflows/**', refuse);
      await paletteIn(page).getByRole('textbox', { name: 'Search steps' }).fill('text');
      await page.keyboard.press('Enter');
      await stepOf(page, 'Text template').waitFor();
      await alone.do({ do: 'close-window' });
      const messages = async () =>
        (await alone.asked()).dialogs.map(([, { message }]) => message as string);
      await expect.poll(messages).toEqual(['Discard unsaved changes?']);
      expect((await seen(alone)).windows).toHaveLength(1);
      await stepOf(page, 'Text template').waitFor();
      await alone.answer(0);
      expect(await alone.quit()).toBe(0);
    });

    test('reloads the shell when its page crashes, while the service keeps running', async () => {
      const alone = await startStandIn([`--work-dir=${work()}`, '--port=0', '--setup=SQLITE']);
      app = alone;
      await alone.page.getByRole('navigation').first().waitFor();
      const loaded = alone.page.waitForEvent('load');
      await alone.do({ do: 'render-process-gone' });
      await loaded;
      await alone.page.getByRole('navigation').first().waitFor();
      expect((await seen(alone)).windows).toMatchObject([
        { loaded: ['app://shell/', 'app://shell/'] },
      ]);
    });

    test('shows a package and a run that the system opens while it is running', async () => {
      const path = join(folder, 'later.plugin');
      await writeFile(path, await packPlugin({ manifest: { id: 'acme.later', name: 'Later' } }));
      const alone = await startStandIn([`--work-dir=${work()}`, '--port=0', '--setup=SQLITE']);
      app = alone;
      const { page } = alone;
      await page.getByRole('navigation').first().waitFor();
      await askAsPage(alone, '/api/notifications', {
        source: 'host',
        level: 'success',
        title: 'Done: count',
        link: '/agent/1234',
      });
      await expect
        .poll(async () => (await seen(alone)).notices)
        .toMatchObject([{ title: 'Done: count' }]);
      await alone.do({ do: 'click-notice', title: 'Done: count' });
      await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/agent/1234');
      await alone.do({ do: 'second-instance', args: ['--no-sandbox', '--token=x', path] });
      await page.getByRole('dialog').getByText('acme.later').first().waitFor();
    });
  });

if (electronBinary === undefined)
  test.describe('what comes from others, on the stand-in', () => {
    test('a second start with an argument of 100 KB opens the named package and does no harm', async () => {
      const path = join(folder, 'beside.plugin');
      await writeFile(path, await packPlugin({ manifest: { id: 'acme.beside' } }));
      const alone = await startStandIn([`--work-dir=${work()}`, '--port=0', '--setup=SQLITE']);
      app = alone;
      await alone.page.getByRole('navigation').first().waitFor();
      const long = 'a'.repeat(100_000);
      const args = [`--token=${long}`, `/${long}.plugin`, `file:///${long}.plugin`, long, path];
      await alone.do({ do: 'second-instance', args });
      await alone.page.getByRole('dialog').getByText('acme.beside').first().waitFor();
      expect(await askAsPage(alone, '/api/plugin-market/inspect-native', { path })).toEqual([
        200,
        '',
      ]);
      const unread = { path: `/${long}.plugin` };
      const [status] = await askAsPage(alone, '/api/plugin-market/inspect-native', unread);
      expect(status).toBeGreaterThanOrEqual(400);
    });

    test('a plugin page that reaches the main process gets nothing from it', async () => {
      const path = join(folder, 'asking.plugin');
      const page = '<!doctype html><title>asking</title><p>page</p>';
      const files = { 'ui/index.html': page };
      await writeFile(path, await packPlugin({ manifest: { id: 'acme.asking' }, files }));
      const alone = await startStandIn([
        `--work-dir=${work()}`,
        '--port=0',
        '--setup=SQLITE',
        path,
      ]);
      app = alone;
      const dialog = alone.page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Install', exact: true }).click();
      const selector = 'iframe[title$=" page"]';
      await alone.page.frameLocator(selector).getByText('page').waitFor();
      const frame = await (await alone.page.locator(selector).elementHandle())?.contentFrame();
      const asked = Object.values(bridgeChannels).map((channel) => [
        channel,
        { path: '/etc/passwd', kind: 'file', fileName: 'a', address: 'https://example.org/' },
      ]);
      const outcomes = await frame?.evaluate(async (calls) => {
        const { hostBridge, __invoke } = window as unknown as {
          hostBridge: unknown;
          __invoke: (channel: unknown, input: unknown) => Promise<unknown>;
        };
        const answers = calls.map(([channel, input]) =>
          __invoke(channel, input).then(
            () => 'answered',
            (error: unknown) => String(error),
          ),
        );
        return [typeof hostBridge, ...(await Promise.all(answers))];
      }, asked);
      expect(outcomes).toEqual([
        'undefined',
        ...asked.map(() => expect.stringContaining('Not for this page.')),
      ]);
      const { dialogs, opened } = await alone.asked();
      expect([dialogs, opened]).toEqual([[], []]);
    });
  });

interface Seen {
  trays: string[][];
  windows: Record<string, unknown>[];
  notices: Record<string, unknown>[];
}
const seen = async (alone: DesktopApp): Promise<Seen> => (await alone.asked()) as never;

const installed = async (): Promise<string[]> =>
  readdir(join(work(), '.host', 'plugins')).catch(() => []);
