import type { Frame } from 'playwright-core';
import type { PluginClientApi, PluginError } from '../../plugin-kit/plugin-client/api.ts';
import type { FakeHost } from './fake-host.ts';
import { addPlugin } from './fake-host.ts';
import type { OpenShell } from './shell-browser.ts';

declare global {
  /** The client inside of a plugin page; `frame.evaluate` runs there. */
  var PluginClient: PluginClientApi;
}

const defaultPage =
  '<!doctype html><title>p</title><script src="_host/plugin-client.js"></script><p>page</p>';

/** Adds a plugin whose page loads the client; a custom page must contain the text `page`. */
export function addPage(
  host: FakeHost,
  id: string,
  change: { page?: string; permissions?: string[] } = {},
): void {
  addPlugin(host, id, { name: id, page: defaultPage, ...change });
}

/** Opens a plugin and resolves with the frame of its page. */
export async function showPlugin({ page, service }: OpenShell, id: string): Promise<Frame> {
  await page.goto(`${service.url}/#/plugins/${id}`);
  const selector = `iframe[title="${id} page"]`;
  await page.frameLocator(selector).getByText('page').waitFor();
  const frame = await (await page.locator(selector).elementHandle())?.contentFrame();
  if (!frame) throw new Error('the frame is not there');
  return frame;
}

type Ask = 'pickFile' | 'pickDirectory' | 'createOutput' | 'exportOutput';

/** The outcome of a call: its result, or the code and data of its error. */
export interface CallOutcome {
  result?: unknown;
  code?: number;
  message?: string;
  data?: unknown;
}

/**
 * Calls a method in the page without waiting for it; the returned function reads the outcome so
 * far.
 */
export async function callFromPage(
  frame: Frame,
  method: Ask,
  ...args: unknown[]
): Promise<() => Promise<CallOutcome | null>> {
  asked += 1;
  const key = `outcome${asked}`;
  await frame.evaluate(
    ([name, values, slot]) => {
      const page = window as unknown as Record<string, unknown>;
      page[slot] = null;
      const call = PluginClient[name] as (...args: unknown[]) => Promise<unknown>;
      call(...values).then(
        (result) => (page[slot] = { result }),
        (error: unknown) => {
          const { code, message, data } = error as PluginError;
          page[slot] = { code, message, data };
        },
      );
    },
    [method, args, key] as const,
  );
  return () =>
    frame.evaluate(
      (slot) => (window as unknown as Record<string, CallOutcome | null>)[slot] ?? null,
      key,
    );
}

let asked = 0;
