import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Frame } from 'playwright-core';
import type { FakeHost } from '../testing/fake-host.ts';
import { addPlugin } from '../testing/fake-host.ts';
import type { OpenShell } from '../testing/shell-browser.ts';
import { ShellBrowser } from '../testing/shell-browser.ts';

let browser: ShellBrowser;
let current: OpenShell;
beforeAll(async () => {
  browser = await ShellBrowser.start();
});
afterEach(async () => {
  expect(current.faults).toEqual([]);
  await browser.closePages();
});
afterAll(() => browser.stop());

interface Client {
  capabilities: string[];
  ready(): Promise<Record<string, unknown>>;
  invoke(method: string, params?: unknown, options?: object): Promise<unknown>;
  cancel(callId: string): Promise<boolean>;
  pickFile(): Promise<unknown>;
  notify(notification: object): Promise<void>;
  on(event: string, listener: (value: unknown) => void): () => void;
}
declare const PluginClient: Client;

const html = (script: string) =>
  `<!doctype html><title>p</title><script src="_host/plugin-client.js"></script>${script}<p>page</p>`;

function addPage(host: FakeHost, id: string, page = html(''), permissions: string[] = []): void {
  addPlugin(host, id, { name: id, page, permissions });
}

/** Opens the shell at the page of a plugin; resolves with the frame. */
async function openPlugin(id: string, prepare: (host: FakeHost) => void) {
  current = await browser.open();
  prepare(current.service.host);
  await current.page.goto(current.service.ticketUrl());
  await current.page.getByRole('navigation').waitFor();
  return { ...current, frame: await showPlugin(id) };
}

async function showPlugin(id: string): Promise<Frame> {
  await current.page.goto(`${current.service.url}/#/plugins/${id}`);
  const inside = current.page.locator(`iframe[title="Page of ${id}"]`);
  await current.page.frameLocator(`iframe[title="Page of ${id}"]`).getByText('page').waitFor();
  const frame = await (await inside.elementHandle())?.contentFrame();
  if (!frame) throw new Error('the frame is not there');
  return frame;
}

describe('a plugin frame', () => {
  it('is shut in and has no way to the shell or the service', async () => {
    const { page, frame, service } = await openPlugin('a', (host) => addPage(host, 'a'));
    const element = page.locator('iframe');
    expect(await element.getAttribute('sandbox')).toBe('allow-scripts');
    expect(await element.getAttribute('allow')).toBe('');
    expect(await element.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(await element.getAttribute('credentialless')).toBe('');
    const found = await frame.evaluate(async (url) => {
      const reach = (read: () => unknown) => {
        try {
          return String(read());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        origin: self.origin,
        storage: reach(() => localStorage.length),
        cookie: reach(() => document.cookie),
        parent: reach(() => parent.document.title),
        bridge: 'hostBridge' in window,
        popup: reach(() => window.open('https://example.org')),
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
    // The page tried what its own policy refuses; that is not a fault of the shell.
    current.faults.length = 0;
  });

  it('calls its worker and gets the bare result', async () => {
    const { frame } = await openPlugin('a', (host) => {
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

  it('gets errors of the worker and of the service with their numbers', async () => {
    const { frame } = await openPlugin('a', (host) => {
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
            (error: Error & { code: number; data: unknown }) => [
              error.code,
              error.message,
              error.data,
            ],
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

  it('is told that this host cannot pick files yet', async () => {
    const { frame } = await openPlugin('a', (host) => addPage(host, 'a'));
    const error = await frame.evaluate(() =>
      PluginClient.pickFile().catch((reason: { code: number; message: string }) => ({
        code: reason.code,
        message: reason.message,
      })),
    );
    expect(error).toEqual({ code: -32601, message: 'This host cannot let you choose a file.' });
  });

  it('hears of a new theme and language', async () => {
    const { page, frame } = await openPlugin('a', (host) => addPage(host, 'a'));
    await frame.evaluate(async () => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      PluginClient.on('theme', (theme) => heard.push(theme));
      PluginClient.on('locale', (locale) => heard.push(locale));
      await PluginClient.ready();
    });
    for (const command of ['dark theme', 'language']) {
      await page.locator('.toolbar').click();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(command);
      await page.keyboard.press('Enter');
    }
    await expect
      .poll(() => frame.evaluate(() => (window as unknown as { heard: unknown[] }).heard))
      .toEqual(['dark', 'zh-CN']);
  });

  it('is still as it was left when the reader comes back', async () => {
    const { frame } = await openPlugin('a', (host) => {
      addPage(host, 'a');
      addPage(host, 'b');
    });
    await frame.evaluate(() => Object.assign(window, { typed: 'draft' }));
    await showPlugin('b');
    await current.page.keyboard.press('Control+,');
    const again = await showPlugin('a');
    expect(await again.evaluate(() => (window as unknown as { typed?: string }).typed)).toBe(
      'draft',
    );
  });
});

describe('the bridge in the browser', () => {
  it('fails loudly for a page of another version, in the page and in the shell', async () => {
    const { page, frame } = await openPlugin('a', (host) => {
      addPage(host, 'a', '<!doctype html><script src="old.js"></script><p>page</p>');
      host.pages.set(
        'a/old.js',
        `addEventListener('message', ({ ports: [port] }) => {
           port.onmessage = ({ data }) => { window.answer = data; };
           port.postMessage({ id: 1, method: 'host.ready', params: { protocolVersion: '0.9' } });
         });`,
      );
    });
    await page.getByText('This page cannot talk to the host').waitFor();
    await page
      .getByText('It speaks version 0.9 of the plugin bridge, the host speaks version 1.')
      .waitFor();
    expect(
      await frame.evaluate(() => (window as unknown as { answer: unknown }).answer),
    ).toMatchObject({
      error: { code: -32010, message: expect.stringContaining('version 0.9') as string },
    });
  });

  it('lets no plugin speak as another one', async () => {
    const { frame: a, service } = await openPlugin('a', (host) => {
      addPage(host, 'a');
      addPage(host, 'b');
    });
    const callers: string[] = [];
    service.host.invoke = ({ pluginId, callId }) => {
      callers.push(pluginId);
      return Promise.resolve({ callId, result: null });
    };
    const b = await showPlugin('b');
    await b.evaluate(() => PluginClient.ready());
    await a.evaluate(async () => {
      // Says that it is b in every place, and asks for a port in the name of everybody.
      parent.postMessage({ type: 'plugin.hello', pluginId: 'b' }, '*');
      await PluginClient.invoke('x', { pluginId: 'b' });
    });
    expect(callers).toEqual(['a']);
    // The frame of b is out of reach: only its own window object is handed the port.
    const reached = await a.evaluate(() => {
      const other = parent.frames[1] as Window;
      other.postMessage({ type: 'host.port', protocolVersion: '1' }, '*', [
        new MessageChannel().port1,
      ]);
      return true;
    });
    expect(reached).toBe(true);
    await b.evaluate(() => PluginClient.invoke('y'));
    expect(callers).toEqual(['a', 'b']);
  });

  it('does not let a plugin pass off the page of another one as its own', async () => {
    const { frame } = await openPlugin('a', (host) => {
      addPage(host, 'a');
      addPage(host, 'b');
    });
    await frame.evaluate(() => {
      location.href = '/plugin-runtime/b/index.html';
    });
    await frame.waitForURL('**/b/index.html');
    const refused = await frame.evaluate(() =>
      PluginClient.ready().then(
        () => 'ready',
        (error: Error) => error.message,
      ),
    );
    expect(refused).toContain('belongs to the plugin b');
  });

  it('takes the port away from a page that is left, and gives a new one to a page that loads', async () => {
    const { frame, service } = await openPlugin('a', (host) => addPage(host, 'a'));
    await frame.evaluate(() => PluginClient.ready());
    const release = Promise.withResolvers<void>();
    let calls = 0;
    service.host.invoke = async ({ callId }) => {
      calls += 1;
      if (calls === 1) await release.promise;
      return { callId, result: calls };
    };
    await frame.evaluate(() => void PluginClient.invoke('slow').catch(() => undefined));
    await expect.poll(() => calls).toBe(1);
    const dropped = current.page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/invoke'),
    );
    await frame.evaluate(() => location.reload());
    await dropped;
    release.resolve();
    await current.page.frameLocator('iframe').getByText('page').waitFor();
    await expect.poll(() => frame.evaluate(() => PluginClient.invoke('again'))).toBe(2);
  });

  it('reaches a page whose script comes after the load', async () => {
    const { frame } = await openPlugin('a', (host) => {
      addPage(host, 'a', '<!doctype html><script src="late.js"></script><p>page</p>');
      host.pages.set(
        'a/late.js',
        `addEventListener('load', () => setTimeout(() => {
           const script = document.createElement('script');
           script.src = '_host/plugin-client.js';
           script.onload = () => { PluginClient.ready().then((facts) => { window.facts = facts; }); };
           document.head.append(script);
         }, 100));`,
      );
    });
    await expect
      .poll(() => frame.evaluate(() => (window as unknown as { facts?: unknown }).facts))
      .toMatchObject({ pluginId: 'a' });
  });

  it('serves pages that use modules', async () => {
    const { frame } = await openPlugin('a', (host) => {
      addPage(
        host,
        'a',
        '<!doctype html><script type="module" src="page.mjs"></script><p>page</p>',
      );
      host.pages.set(
        'a/page.mjs',
        `import { PluginClient } from './_host/plugin-client.mjs';
         window.facts = await PluginClient.ready();`,
      );
    });
    await expect
      .poll(() => frame.evaluate(() => (window as unknown as { facts?: unknown }).facts))
      .toMatchObject({ pluginId: 'a' });
  });

  it('keeps the shell usable while a worker hangs, and cancels what waits and what runs', async () => {
    const { page, frame, service } = await openPlugin('a', (host) => addPage(host, 'a'));
    const held: string[] = [];
    const release = Promise.withResolvers<void>();
    service.host.invoke = async ({ callId }) => {
      held.push(callId);
      await release.promise;
      return { status: 409, code: 'call_cancelled', detail: 'The call was cancelled.' };
    };
    await frame.evaluate(() => {
      const codes: Record<string, number> = {};
      Object.assign(window, { codes });
      for (let n = 0; n < 20; n += 1) {
        PluginClient.invoke('slow', {}, { callId: `c${n}` }).catch((error: { code: number }) => {
          codes[`c${n}`] = error.code;
        });
      }
    });
    await expect.poll(() => held).toEqual(['c0', 'c1']);
    await page.keyboard.press('Control+,');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(await frame.evaluate(() => PluginClient.cancel('c7'))).toBe(true);
    const codes = () => frame.evaluate(() => (window as unknown as { codes: object }).codes);
    await expect.poll(codes).toEqual({ c7: -32002 });
    expect(await frame.evaluate(() => PluginClient.cancel('c0'))).toBe(true);
    expect(service.requests).toContain('POST /api/plugin-runtime/a/invoke/c0/cancel');
    release.resolve();
    await expect.poll(async () => Object.keys(await codes()).length).toBe(20);
    expect(held).not.toContain('c7');
  });
});

describe('notifications of a plugin', () => {
  it('go to the centre with the permission, under the name of the plugin', async () => {
    const { page, frame, service } = await openPlugin('a', (host) =>
      addPage(host, 'a', html(''), ['notifications']),
    );
    await frame.evaluate(() =>
      PluginClient.notify({ level: 'success', title: 'Done', body: '7 words' }),
    );
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    expect(service.host.notifications[0]).toMatchObject({ source: 'plugin:a', title: 'Done' });
  });

  it('stay inside the area of the page without it, as text and not too many', async () => {
    const { page, frame, service } = await openPlugin('a', (host) => addPage(host, 'a'));
    const title = '<img src=x onerror=window.hacked=1>';
    for (let n = 1; n <= 5; n += 1) {
      await frame.evaluate(
        (text) => PluginClient.notify({ level: 'warning', title: text }),
        `${title} ${n}`,
      );
    }
    const shown = page.locator('.frame .notice-title');
    await expect.poll(() => shown.allTextContents()).toEqual([5, 4, 3].map((n) => `${title} ${n}`));
    expect(service.host.notifications).toEqual([]);
    await page.locator('.frame').getByRole('button', { name: 'Dismiss' }).first().click();
    await expect.poll(() => shown.count()).toBe(2);
  });

  it('are refused when they pretend to come from somewhere else', async () => {
    const { frame, service } = await openPlugin('a', (host) =>
      addPage(host, 'a', html(''), ['notifications']),
    );
    const code = await frame.evaluate(() =>
      PluginClient.notify({ level: 'info', title: 'x', source: 'host' }).then(
        () => 0,
        (error: { code: number }) => error.code,
      ),
    );
    expect(code).toBe(-32602);
    expect(service.host.notifications).toEqual([]);
  });
});
