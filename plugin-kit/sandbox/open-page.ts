import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { FileRef } from '../../service/contract/files.ts';
import { kitRoot } from '../kit-root.ts';
import { type BridgeAnswer, servePage } from './page-host.ts';
import { type CallOptions, PluginCallError } from './plugin-call.ts';

export interface OpenedPage {
  /** Of playwright: the page around the frame. */
  page: Page;
  /** The plugin's page in it: `frame.getByRole('button')`. */
  frame: FrameLocator;
  /** Errors of scripts, and what the policy of plugin pages blocked. */
  errors: string[];
  /** What the next `pickFile` or `pickDirectory` of the page answers with; null: the person cancels. */
  pick(ref: FileRef | null): void;
  /** What the page has offered to save. */
  exported: FileRef[];
  close(): Promise<void>;
}

export interface OpenPageInput {
  browser: Browser;
  plugin: {
    id: string;
    call(method: string, params: unknown, options: CallOptions): Promise<unknown>;
    createOutput(name?: string): Promise<FileRef>;
  };
  /** The unpacked package. */
  directory: string;
  theme?: 'light' | 'dark';
  locale?: string;
  log: (entry: { level: string; message: string }) => void;
  cancel: (callId: string) => boolean;
}

const cancelled = { code: -32002, message: 'The person cancelled.' };

export async function openPage(input: OpenPageInput): Promise<OpenedPage> {
  const { browser, plugin, directory, theme = 'light', locale = 'en' } = input;
  const picks = new Picks();
  const exported: FileRef[] = [];
  const host = await servePage({
    pluginId: plugin.id,
    directory,
    client: await clientDirectory(),
    capabilities: ['files'],
    async handle({ method, params }, onProgress) {
      try {
        return await answer(method, (params ?? {}) as Params, onProgress);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const { code = -32000, data } = error instanceof PluginCallError ? error : {};
        return { error: { code: code === 0 ? -32000 : code, message: error.message, data } };
      }
    },
  });

  async function answer(
    method: string,
    params: Params,
    onProgress: (progress: unknown) => void,
  ): Promise<BridgeAnswer> {
    const { callId = '', ref } = params;
    if (method === 'invoke') {
      const report = (progress: object): void => onProgress({ ...progress, callId });
      const options = { callId, ...(params.progress === true ? { onProgress: report } : {}) };
      return { result: (await plugin.call(params.method ?? '', params.params, options)) ?? null };
    }
    if (method === 'cancel') return { result: input.cancel(callId) };
    if (method === 'createOutput') return { result: await plugin.createOutput(params.name) };
    if (method === 'notify') return { result: { center: 'page' } };
    if (method === 'pickFile' || method === 'pickDirectory') {
      const picked = await picks.next();
      return picked === null ? { error: cancelled } : { result: picked };
    }
    if (method === 'exportOutput' && ref !== undefined) exported.push(ref);
    else if (method === 'log')
      input.log({ level: params.level ?? 'ERROR', message: params.message ?? '' });
    else return { error: { code: -32601, message: `The bridge has no method ${method}.` } };
    return { result: null };
  }

  const page = await browser.newPage();
  const errors = errorsOf(page);
  await page.goto(`${host.url}/?theme=${theme}&locale=${encodeURIComponent(locale)}`);
  return {
    page,
    frame: page.frameLocator('iframe'),
    errors,
    exported,
    pick: (ref) => picks.add(ref),
    async close() {
      await page.close();
      await host.close();
    },
  };
}

/** Files for a page that asks for them, in whatever order the two come. */
class Picks {
  readonly #ready: (FileRef | null)[] = [];
  readonly #asked: ((ref: FileRef | null) => void)[] = [];

  add(ref: FileRef | null): void {
    const ask = this.#asked.shift();
    if (ask === undefined) this.#ready.push(ref);
    else ask(ref);
  }

  /** Ends at the latest when the page is closed, as its connection then is. */
  next(): Promise<FileRef | null> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => this.#asked.push(resolve));
  }
}

interface Params {
  callId?: string;
  method?: string;
  params?: unknown;
  progress?: boolean;
  name?: string;
  ref?: FileRef;
  level?: string;
  message?: string;
}

function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // Browsers do not know all of the policy that the host sends.
    const isUnknown = text.startsWith("Unrecognized Content-Security-Policy directive 'webrtc'");
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isUnknown && !isIcon) errors.push(text);
  });
  return errors;
}

/** In the sources the bridge scripts are where the build puts them. */
async function clientDirectory(): Promise<string> {
  const own = join(kitRoot, 'bridge');
  return access(own).then(
    () => own,
    () => join(kitRoot, '..', 'dist', 'plugin-client'),
  );
}
