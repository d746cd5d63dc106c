import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { FileRef } from '../../service/contract/files.ts';
import type { OpenedPage } from './open-page.ts';
import { PluginCallError } from './plugin-call.ts';
import type { StartedPlugin } from './start-plugin.ts';

/** Playwright's default timeout: a test should fail with a message instead of hanging. */
const pageLimitMs = 30_000;

const Request = z.object({
  id: z.int().optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});
const text = z.string();
const Access = z.enum(['read', 'read-write']).default('read');

/** Input of `serveTests`. */
export interface TestServerInput {
  plugin: StartedPlugin;
  input: Readable;
  /** Writes one line. */
  write: (line: string) => void;
}

/**
 * Offers the functions for tests of a started plugin to programs in other languages: JSON-RPC 2.0,
 * one object per line. The notification `ready {id, manifest}` comes first; the methods are those
 * of `StartedPlugin` and, as `page.…`, those of its open page. Ends with the input.
 */
export async function serveTests({ plugin, input, write }: TestServerInput): Promise<void> {
  const session = new TestSession(plugin, (message) => {
    write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
  session.ready();
  for await (const line of createInterface({ input })) if (line !== '') session.answer(line);
}

class TestSession {
  readonly #plugin: StartedPlugin;
  readonly #send: (message: object) => void;
  readonly #calls = new Map<string, AbortController>();
  readonly #pages: OpenedPage[] = [];

  constructor(plugin: StartedPlugin, send: (message: object) => void) {
    this.#plugin = plugin;
    this.#send = send;
  }

  ready(): void {
    const { id, manifest } = this.#plugin;
    this.#send({ method: 'ready', params: { id, manifest } });
  }

  answer(line: string): void {
    void this.#outcome(line).then((message) => this.#send(message));
  }

  async #outcome(line: string): Promise<object> {
    const parsed = Request.safeParse(readJson(line));
    if (!parsed.success) return { id: null, error: { code: -32600, message: 'No request.' } };
    const { id = null, method, params } = parsed.data;
    const found = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (found === undefined)
      return { id, error: { code: -32601, message: `There is no method ${method}.` } };
    try {
      return { id, result: (await found(params)) ?? null };
    } catch (error) {
      return { id, error: errorOf(error) };
    }
  }

  readonly #methods: Record<string, (params: Record<string, unknown>) => unknown> = {
    call: async ({ callId, method, params = {} }) => {
      const controller = new AbortController();
      const id = text.parse(callId);
      this.#calls.set(id, controller);
      const onProgress = (progress: object): void =>
        this.#send({ method: 'progress', params: { callId: id, ...progress } });
      const options = { callId: id, signal: controller.signal, onProgress };
      try {
        return await this.#plugin.call(text.parse(method), params, options);
      } finally {
        this.#calls.delete(id);
      }
    },
    cancel: ({ callId }) => this.#calls.get(text.parse(callId))?.abort(),
    grantFile: ({ path, access }) => this.#plugin.grantFile(text.parse(path), Access.parse(access)),
    grantText: ({ name, content }) => this.#plugin.grantText(text.parse(name), text.parse(content)),
    createOutput: ({ name }) => this.#plugin.createOutput(text.optional().parse(name)),
    filesIn: ({ ref }) => this.#plugin.filesIn(FileRef.parse(ref)),
    readFileIn: async ({ ref, name }) =>
      (await this.#plugin.readFileIn(FileRef.parse(ref), text.parse(name))).toString('base64'),
    log: () => this.#plugin.log(),
    page: async ({ theme, locale }) => {
      const opened = await this.#plugin.page({
        theme: z.enum(['light', 'dark']).default('light').parse(theme),
        locale: text.default('en').parse(locale),
      });
      return this.#pages.push(opened) - 1;
    },
    'page.click': ({ page, selector }) => this.#element(page, selector).click(within),
    'page.fill': ({ page, selector, value }) =>
      this.#element(page, selector).fill(text.parse(value), within),
    'page.text': ({ page, selector }) => this.#element(page, selector).innerText(within),
    'page.waitFor': ({ page, selector }) => this.#element(page, selector).waitFor(within),
    'page.pick': ({ page, ref }) => this.#page(page).pick(FileRef.nullable().parse(ref)),
    'page.exported': ({ page }) => this.#page(page).exported,
    'page.errors': ({ page }) => this.#page(page).errors,
    'page.close': ({ page }) => this.#page(page).close(),
  };

  #page(number: unknown): OpenedPage {
    const page = this.#pages[z.int().parse(number)];
    if (page === undefined) throw new Error('There is no such page.');
    return page;
  }

  #element(number: unknown, selector: unknown): ReturnType<OpenedPage['frame']['locator']> {
    return this.#page(number).frame.locator(text.parse(selector));
  }
}

const within = { timeout: pageLimitMs };

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function errorOf(error: unknown): object {
  if (error instanceof PluginCallError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  return { code: -32000, message: error instanceof Error ? error.message : String(error) };
}
