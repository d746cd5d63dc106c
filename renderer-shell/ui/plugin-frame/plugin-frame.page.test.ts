import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@playwright/test';
import type { PluginError } from '../../../plugin-kit/plugin-client/api.ts';
import type { FakeHost } from '../../testing/fake-host.ts';
import { addPage, showPlugin } from '../../testing/plugin-page.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

/** Opens the shell at the page of the plugin `a`. */
async function openPlugin(prepare: (host: FakeHost) => void = (host) => addPage(host, 'a')) {
  const shell = await open(prepare);
  return { ...shell, shell, frame: await showPlugin(shell, 'a') };
}

/** Starts a server that must not be reachable. */
async function listenOutside() {
  const server = createServer((socket) => {
    outside.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/away`;
  const outside = { address, connections: 0, close: () => server.close() };
  return outside;
}

test.describe('a plugin frame', () => {
  test('is isolated from the shell and the service', async () => {
    const { page, frame, service, errors } = await openPlugin();
    const element = page.locator('iframe');
    expect(await element.getAttribute('sandbox')).toBe('allow-scripts');
    expect(await element.getAttribute('allow')).toBe('');
    expect(await element.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(await element.getAttribute('credentialless')).toBe('');
    const found = await frame.evaluate(async (url) => {
      const attempt = (read: () => unknown) => {
        try {
          return String(read());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        origin: self.origin,
        storage: attempt(() => localStorage.length),
        cookie: attempt(() => document.cookie),
        parent: attempt(() => parent.document.title),
        bridge: 'hostBridge' in window,
        popup: attempt(() => window.open('https://example.org')),
        api: await fetch(`${url}/api/health`).then(
          () => 'reached',
          () => 'blocked',
        ),
      };
    }, service.url);
    expect(found).toEqual({
      origin: 'null',
      storage: 'SecurityError',
      cookie: 'SecurityError',
      parent: 'SecurityError',
      bridge: false,
      popup: 'null',
      api: 'blocked',
    });
    // The page attempted what its own policy refuses, which is not a fault of the shell.
    errors.length = 0;
  });

  test('cannot navigate the window, submit forms, download files or open dialogs', async () => {
    const { page, frame, errors } = await openPlugin();
    const outside = await listenOutside();
    const [downloads, dialogs]: [string[], string[]] = [[], []];
    page.on('download', (download) => downloads.push(download.url()));
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const before = page.url();
    await frame.evaluate(async (to) => {
      const add = (html: string) => document.body.insertAdjacentHTML('beforeend', html);
      add(`<a id="top" href="${to}" target="_top">a</a><a id="new" href="${to}" target="_blank">b</a>
        <a id="save" href="data:text/plain,x" download="x.txt">c</a>
        <form action="${to}" method="post"><input name="a" value="b"></form>`);
      for (const link of document.querySelectorAll('a')) link.click();
      document.querySelector('form')?.requestSubmit();
      alert('look');
      const attempts = [
        () => top?.location.assign(to),
        () => new WebSocket(to.replace('http', 'ws')),
        () => new EventSource(to),
        () => navigator.sendBeacon(to),
        () => (new Image().src = to),
        () => new Worker(to),
      ];
      for (const attempt of attempts)
        try {
          attempt();
        } catch {
          // Refused as expected.
        }
      // The attempted request is refused before this one returns.
      await fetch(to).catch(() => undefined);
    }, outside.address);
    await frame.getByText('page').waitFor();
    expect(page.url()).toBe(before);
    expect(page.context().pages()).toHaveLength(1);
    expect([downloads, dialogs]).toEqual([[], []]);
    expect(outside.connections).toBe(0);
    errors.length = 0;
    outside.close();
  });

  test('calls its worker and receives the bare result', async () => {
    const { frame } = await openPlugin((host) => {
      addPage(host, 'a');
      host.invoke = ({ pluginId, callId, method, params }) =>
        Promise.resolve({ callId, result: { pluginId, method, params } });
    });
    expect(await frame.evaluate(() => PluginClient.ready())).toEqual({
      protocolVersion: '1',
      pluginId: 'a',
      theme: 'light',
      locale: 'en',
    });
    const result = await frame.evaluate(() => PluginClient.invoke('count', { text: 'x' }));
    expect(result).toEqual({ pluginId: 'a', method: 'count', params: { text: 'x' } });
  });

  test('receives errors of the worker and of the service with their codes', async () => {
    const { frame } = await openPlugin((host) => {
      addPage(host, 'a');
      host.invoke = ({ callId, method }) =>
        Promise.resolve(
          method === 'own'
            ? { callId, error: { code: 17, message: 'Its own', data: [1] } }
            : { status: 502, code: 'worker_crashed', detail: 'The worker crashed.' },
        );
    });
    const errorOf = (method: string) =>
      frame.evaluate(
        (name) =>
          PluginClient.invoke(name).then(
            () => null,
            (reason: unknown) => {
              const { code, message, data } = reason as PluginError;
              return [code, message, data];
            },
          ),
        method,
      );
    expect(await errorOf('own')).toEqual([17, 'Its own', [1]]);
    expect(await errorOf('crash')).toEqual([
      -32001,
      'The worker crashed.',
      { code: 'worker_crashed', status: 502 },
    ]);
  });

  test('is notified of a new theme and language', async () => {
    const { page, frame } = await openPlugin((host) => addPage(host, 'a'));
    await frame.evaluate(async () => {
      const received: unknown[] = [];
      Object.assign(window, { received });
      PluginClient.on('theme', (theme) => received.push(theme));
      PluginClient.on('locale', (locale) => received.push(locale));
      await PluginClient.ready();
    });
    for (const command of ['dark theme', 'language']) {
      await page.locator('.toolbar').click();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(command);
      await page.keyboard.press('Enter');
    }
    await expect
      .poll(() => frame.evaluate(() => (window as unknown as { received: unknown[] }).received))
      .toEqual(['dark', 'zh-CN']);
  });

  test('keeps its state while another area is open', async () => {
    const { shell, frame } = await openPlugin((host) => {
      addPage(host, 'a');
      addPage(host, 'b');
    });
    await frame.evaluate(() => Object.assign(window, { typed: 'draft' }));
    await showPlugin(shell, 'b');
    await shell.page.keyboard.press('Control+,');
    const again = await showPlugin(shell, 'a');
    expect(await again.evaluate(() => (window as unknown as { typed?: string }).typed)).toBe(
      'draft',
    );
  });
});

test.describe('notifications of a plugin', () => {
  test('go to the notification center if permitted, under the name of the plugin', async () => {
    const { page, frame, service } = await openPlugin((host) =>
      addPage(host, 'a', { permissions: ['notifications'] }),
    );
    const outcome = await frame.evaluate(() =>
      PluginClient.notify({ level: 'success', title: 'Done', body: '7 words' }),
    );
    expect(outcome).toEqual({ center: 'host' });
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    expect(service.host.notifications[0]).toMatchObject({ source: 'plugin:a', title: 'Done' });
  });

  test('stay inside the area of the page without the permission, as text and limited in number [BRIDGE-05]', async () => {
    const { page, frame, service } = await openPlugin((host) => addPage(host, 'a'));
    const title = '<img src=x onerror=window.hacked=1>';
    for (let n = 1; n <= 5; n += 1) {
      const outcome = await frame.evaluate(
        (text) => PluginClient.notify({ level: 'warning', title: text }),
        `${title} ${n}`,
      );
      expect(outcome).toEqual({ center: 'page' });
    }
    const titles = page.locator('.frame .notice-title');
    await expect
      .poll(() => titles.allTextContents())
      .toEqual([5, 4, 3].map((n) => `${title} ${n}`));
    expect(service.host.notifications).toEqual([]);
    await page.locator('.frame').getByRole('button', { name: 'Dismiss' }).first().click();
    await expect.poll(() => titles.count()).toBe(2);
  });

  test('are refused when they claim another source', async () => {
    const { frame, service } = await openPlugin((host) =>
      addPage(host, 'a', { permissions: ['notifications'] }),
    );
    const code = await frame.evaluate(() => {
      const pretending = { level: 'info', title: 'x', source: 'host' } as const;
      return PluginClient.notify(pretending).then(
        () => 0,
        (error: unknown) => (error as PluginError).code,
      );
    });
    expect(code).toBe(-32602);
    expect(service.host.notifications).toEqual([]);
  });
});
