import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { PluginError } from '../../../plugin-kit/plugin-client/api.ts';
import { builtShell } from '../../testing/built-shell.ts';
import type { FakeHost } from '../../testing/fake-host.ts';
import { addPage, showPlugin } from '../../testing/plugin-page.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

/** Opens the shell at the page of the plugin `a`. */
async function openPlugin(prepare: (host: FakeHost) => void = (host) => addPage(host, 'a')) {
  const shell = await open(prepare);
  return { ...shell, shell, frame: await showPlugin(shell, 'a') };
}

test.describe('the bridge in the browser', () => {
  test('fails loudly for a page of another version, in the page and in the shell', async () => {
    const { page, frame } = await openPlugin((host) => {
      addPage(host, 'a', { page: '<!doctype html><script src="old.js"></script><p>page</p>' });
      host.pages.set(
        'a/old.js',
        `addEventListener('message', ({ ports: [port] }) => {
           port.onmessage = ({ data }) => { window.answer = data; };
           port.postMessage({ id: 1, method: 'host.ready', params: { protocolVersion: '0.9' } });
         });`,
      );
    });
    await page.getByText('This page cannot communicate with the host').waitFor();
    await page
      .getByText('It uses version 0.9 of the plugin bridge; the host uses version 1.')
      .waitFor();
    await expect
      .poll(() => frame.evaluate(() => (window as unknown as { answer: unknown }).answer))
      .toMatchObject({
        error: { code: -32010, message: expect.stringContaining('version 0.9') as unknown },
      });
  });

  test('lets a page with a client of another version catch that error, and shows it in the shell [BRIDGE-03, BRIDGE-04]', async () => {
    const built = await readFile(join(builtShell().client, 'plugin-client.js'), 'utf8');
    const old = built.replaceAll('"1"', '"1.0"').replaceAll('version 1 of', 'version 1.0 of');
    expect(old).not.toBe(built);
    const { page, frame } = await openPlugin((host) => {
      addPage(host, 'a', { page: '<!doctype html><script src="old.js"></script><p>page</p>' });
      host.pages.set('a/old.js', old);
    });
    const caught = await frame.evaluate(() =>
      PluginClient.ready().then(
        () => null,
        (error: unknown) => {
          const { code, message } = error as PluginError;
          return { code, message };
        },
      ),
    );
    expect(caught).toEqual({
      code: -32010,
      message: expect.stringMatching(/speaks version 1\.0 .* host speaks version 1\./) as unknown,
    });
    await page.getByText('It uses version 1.0 of the plugin bridge').waitFor();
  });

  test('does not let a plugin impersonate another one', async () => {
    const {
      shell,
      frame: a,
      service,
    } = await openPlugin((host) => {
      addPage(host, 'a');
      addPage(host, 'b');
    });
    const callers: string[] = [];
    service.host.invoke = ({ pluginId, callId }) => {
      callers.push(pluginId);
      return Promise.resolve({ callId, result: null });
    };
    const b = await showPlugin(shell, 'b');
    await b.evaluate(() => PluginClient.ready());
    await a.evaluate(async () => {
      // Claims to be b in every field, and requests a port for any plugin.
      parent.postMessage({ type: 'plugin.hello', pluginId: 'b' }, '*');
      await PluginClient.invoke('x', { pluginId: 'b' });
    });
    expect(callers).toEqual(['a']);
    // The frame of b is not accessible: only its own window object receives the port.
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

  test('does not let a plugin embed the page of another one as its own', async () => {
    const { frame } = await openPlugin((host) => {
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
        (error: unknown) => (error as Error).message,
      ),
    );
    expect(refused).toContain('belongs to the plugin b');
  });

  test('closes the port of a page that is left, and offers a new one to a page that loads', async () => {
    const { page, frame, service } = await openPlugin();
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
    const dropped = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/invoke'),
    );
    await frame.evaluate(() => location.reload());
    await dropped;
    release.resolve();
    await page.frameLocator('iframe').getByText('page').waitFor();
    await expect.poll(() => frame.evaluate(() => PluginClient.invoke('again'))).toBe(2);
  });

  test('connects a page whose script starts after the load', async () => {
    const { frame } = await openPlugin((host) => {
      addPage(host, 'a', { page: '<!doctype html><script src="late.js"></script><p>page</p>' });
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

  test('serves pages that use modules', async () => {
    const { frame } = await openPlugin((host) => {
      addPage(host, 'a', {
        page: '<!doctype html><script type="module" src="page.mjs"></script><p>page</p>',
      });
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

  test('keeps the shell usable while a worker hangs, and cancels queued and running calls', async () => {
    const { page, frame, service } = await openPlugin((host) => addPage(host, 'a'));
    const pendingCalls: string[] = [];
    const release = Promise.withResolvers<void>();
    service.host.invoke = async ({ callId }) => {
      pendingCalls.push(callId);
      await release.promise;
      return { status: 409, code: 'call_cancelled', detail: 'The call was cancelled.' };
    };
    await frame.evaluate(() => {
      const codes: Record<string, number> = {};
      Object.assign(window, { codes });
      for (let n = 0; n < 20; n += 1) {
        PluginClient.invoke('slow', {}, { callId: `c${n}` }).catch((error: unknown) => {
          codes[`c${n}`] = (error as { code: number }).code;
        });
      }
    });
    await expect.poll(() => pendingCalls).toEqual(['c0', 'c1']);
    await page.keyboard.press('Control+,');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(await frame.evaluate(() => PluginClient.cancel('c7'))).toBe(true);
    const codes = () => frame.evaluate(() => (window as unknown as { codes: object }).codes);
    await expect.poll(codes).toEqual({ c7: -32002 });
    expect(await frame.evaluate(() => PluginClient.cancel('c0'))).toBe(true);
    expect(service.requests).toContain('POST /api/plugin-runtime/a/invoke/c0/cancel');
    release.resolve();
    await expect.poll(async () => Object.keys(await codes()).length).toBe(20);
    expect(pendingCalls).not.toContain('c7');
  });
});
