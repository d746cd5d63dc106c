import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type FrameLocator, type Page } from 'playwright-core';
import { kit, packAndUnpack } from './packed-plugin.ts';
import { servePage } from './page-host.ts';
import { startWorker } from './worker-process.ts';

export interface OpenedPage {
  page: Page;
  frame: FrameLocator;
  /** Errors of scripts and refusals of the content security policy. */
  errors: string[];
}

export interface PluginPages {
  /** Opens the plugin's page; `search` such as `?theme=dark` goes to the shell of the test. */
  open: (search?: string) => Promise<OpenedPage>;
  close: () => Promise<void>;
}

/** Packs a plugin, starts its worker, and opens its page in Chromium under the host's rules. */
export async function pluginPages(source: string, runtime: 'java' | 'node'): Promise<PluginPages> {
  const client = await mkdtemp(join(tmpdir(), 'plugin-client-'));
  const bridge = (await import(join(kit, 'plugin-client/build.ts'))) as {
    buildPluginClient: (input: { outputDirectory: string }) => Promise<void>;
  };
  await bridge.buildPluginClient({ outputDirectory: client });
  const plugin = await packAndUnpack(source);
  const { directory, manifest } = plugin;
  const worker = startWorker(directory, runtime);
  const host = await servePage({ pluginId: manifest.id, directory, client, worker });
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
    // This browser does not know all of the policy that the host sends.
    const isUnknown = text.startsWith("Unrecognized Content-Security-Policy directive 'webrtc'");
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isUnknown && !isIcon) errors.push(text);
  });
  await page.goto(url);
  return { page, frame: page.frameLocator('iframe'), errors };
}

async function launchChromium(): Promise<Browser> {
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: await findChromium(), args, timeout: 90_000 });
}

async function findChromium(): Promise<string> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const file = join(directory, name);
      const found = await access(file).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  throw new Error('Chromium was not found. Install it (Debian, Ubuntu: apt-get install chromium).');
}
