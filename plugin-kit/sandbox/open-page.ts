import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { FileRef } from '../../service/contract/files.ts';
import { kitRoot } from '../kit-root.ts';
import { type BridgeAnswer, servePage } from './page-host.ts';
import { type CallOptions, PluginCallError } from './plugin-call.ts';

/** A plugin's page, opened for a test. */
export interface OpenedPage {
  /** Playwright's page around the frame. */
  page: Page;
  /** The frame with the plugin's page: `frame.getByRole('button')`. */
  frame: FrameLocator;
  /** Script errors, and violations of the security policy of plugin pages. */
  errors: string[];
  /** Answers the page's next `pickFile` or `pickDirectory`; null cancels the dialog. */
  pick(ref: FileRef | null): void;
  /** Files that the page offered to save. */
  exported: FileRef[];
  close(): Promise<void>;
}

/** Input of `openPage`. */
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
        const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
        if (found !== undefined) return await found(params ?? {}, onProgress);
        return { error: { code: -32601, message: `The bridge has no method ${method}.` } };
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const { code = -32000, data } = error instanceof PluginCallError ? error : {};
        return { error: { code: code === 0 ? -32000 : code, message: error.message, data } };
      }
    },
  });

  const pick = async (): Promise<BridgeAnswer> => {
    const picked = await picks.next();
    return picked === null ? { error: cancelled } : { result: picked };
  };
  const methods: Record<string, Method> = {
    pickFile: pick,
    pickDirectory: pick,
    async invoke({ callId, method = '', params, progress }, onProgress) {
      const report = (made: object): void => onProgress({ ...made, callId });
      const options = progress === true ? { callId, onProgress: report } : { callId };
      return { result: (await plugin.call(method, params, options)) ?? null };
    },
    cancel: ({ callId = '' }) => Promise.resolve({ result: input.cancel(callId) }),
    createOutput: async ({ name }) => ({ result: await plugin.createOutput(name) }),
    exportOutput({ ref }) {
      if (ref !== undefined) exported.push(ref);
      return Promise.resolve({ result: null });
    },
    notify: () => Promise.resolve({ result: { center: 'page' } }),
    log({ level = 'ERROR', message = '' }) {
      input.log({ level, message });
      return Promise.resolve({ result: null });
    },
  };

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
      // A timeout alone does not explain itself; an error of the page is often the reason.
      for (const error of new Set(errors))
        process.stderr.write(`The page of ${plugin.id} reported: ${error}\n`);
      await page.close();
      await host.close();
    },
  };
}

/** Queues answers for the page's file dialogs; either side may come first. */
class Picks {
  readonly #ready: (FileRef | null)[] = [];
  readonly #asked: ((ref: FileRef | null) => void)[] = [];

  add(ref: FileRef | null): void {
    const ask = this.#asked.shift();
    if (ask === undefined) this.#ready.push(ref);
    else ask(ref);
  }

  /** Rejects when the page is closed and its connection ends. */
  next(): Promise<FileRef | null> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => this.#asked.push(resolve));
  }
}

type Method = (params: Params, onProgress: (progress: unknown) => void) => Promise<BridgeAnswer>;

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
    // Browsers do not support every directive of the host's policy.
    const isUnknown = text.startsWith("Unrecognized Content-Security-Policy directive 'webrtc'");
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isUnknown && !isIcon) errors.push(text);
  });
  return errors;
}

/** When run from the sources, the bridge scripts are in the build output. */
async function clientDirectory(): Promise<string> {
  const own = join(kitRoot, 'bridge');
  return access(own).then(
    () => own,
    () => join(kitRoot, '..', 'dist', 'plugin-client'),
  );
}
