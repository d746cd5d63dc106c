import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { launchChromium } from '../sandbox/launch-chromium.ts';
import { kit, packAndUnpack } from './packed-plugin.ts';
import { servePage } from '../sandbox/page-host.ts';
import { startWorker } from './worker-process.ts';

/** An opened plugin page. */
export interface OpenedPage {
  page: Page;
  frame: FrameLocator;
  /** Script errors and violations of the content security policy. */
  errors: string[];
}

/** Opens pages of one plugin. */
export interface PluginPages {
  /** Opens the plugin's page; `search`, such as `?theme=dark`, is passed to the test shell. */
  open: (search?: string) => Promise<OpenedPage>;
  close: () => Promise<void>;
}

/** Packs a plugin, starts its worker, and prepares its page in Chromium under the host's rules. */
export async function pluginPages(source: string, runtime: 'java' | 'node'): Promise<PluginPages> {
  const client = await mkdtemp(join(tmpdir(), 'plugin-client-'));
  const bridge = (await import(join(kit, 'plugin-client/build.ts'))) as {
    buildPluginClient: (input: { outputDirectory: string }) => Promise<void>;
  };
  await bridge.buildPluginClient({ outputDirectory: client });
  const plugin = await packAndUnpack(source);
  const { directory, manifest } = plugin;
  const worker = startWorker(directory, runtime);
  const host = await servePage({
    pluginId: manifest.id,
    directory,
    client,
    async handle({ params }) {
      const call = params as { method: string; params: unknown };
      const { result, error } = await worker.call(call.method, call.params);
      return error ? { error } : { result: result ?? null };
    },
  });
  const browser = await launchChromium();
  return {
    open: (search = '') => open(browser, `${host.url}/${search}`),
    close: async () => {
      await browser.close();
      await host.close();
      await worker.end();
      await plugin.close();
      await rm(client, { recursive: true, force: true });
    },
  };
}

async function open(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // This browser does not support every directive of the host's policy.
    const isUnknown = text.startsWith("Unrecognized Content-Security-Policy directive 'webrtc'");
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isUnknown && !isIcon) errors.push(text);
  });
  await page.goto(url);
  return { page, frame: page.frameLocator('iframe'), errors };
}
