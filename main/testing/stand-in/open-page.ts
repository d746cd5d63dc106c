import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { asked, type BrowserWindow } from './electron.ts';
import { closeOffscreen, openOffscreen } from './offscreen-page.ts';

const shell = 'app://shell';
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/**
 * Shows a window as a page of Chromium that a test can connect to. Chromium does not know the app's
 * scheme, so the shell is served on loopback and its origin is rewritten wherever it is passed on.
 */
export async function openPage(window: BrowserWindow, url: string): Promise<void> {
  if (window.options.webPreferences?.offscreen) return openOffscreen(window, url);
  const origin = await serveScheme();
  const context = await browser();
  const [existing] = context.pages();
  const page = existing ?? (await context.newPage());
  await prepare(page, window, origin);
  await page.goto(url.replace(shell, origin));
}

let served: Promise<string> | undefined;
let opened: Promise<BrowserContext> | undefined;
const prepared = new WeakSet<Page>();

/** Opens the browser and reports its address to the test. */
function browser(): Promise<BrowserContext> {
  opened ??= launch();
  return opened;
}

async function launch(): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath,
    args: ['--remote-debugging-port=0', '--remote-debugging-address=127.0.0.1'],
    chromiumSandbox: false,
  });
  const [port] = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
  process.send?.({ debugAddress: `http://127.0.0.1:${port}` });
  asked.close = async () => {
    await closeOffscreen();
    await context.close();
    await rm(folder, { recursive: true, force: true });
  };
  return context;
}

async function prepare(page: Page, window: BrowserWindow, origin: string): Promise<void> {
  if (prepared.has(page)) return;
  prepared.add(page);
  window.webContents.beforeUnload = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  const { preload = '' } = window.options.webPreferences ?? {};
  await page.exposeBinding('__invoke', ({ frame }, channel: string, input: unknown) => {
    const isMain = frame === page.mainFrame();
    const senderFrame = isMain ? window.webContents.mainFrame : { url: frame.url() };
    const handler = asked.ipc.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return handler({ senderFrame }, revived(input));
  });
  await page.addInitScript({ content: wrapped(await readFile(preload, 'utf8')) });
  window.webContents.on('-sent', (channel: string, value: unknown) => {
    void page.evaluate(
      ([name, payload]) => (window as never as EventReceiver).__emit?.(name, payload),
      [channel, value] as const,
    );
  });
  await page.route('**/plugin-runtime/**', async (route) => {
    const answer = await route.fetch();
    const headers = { ...answer.headers() };
    const policy = headers['content-security-policy'];
    if (policy !== undefined) headers['content-security-policy'] = policy.replace(shell, origin);
    await route.fulfill({ response: answer, headers });
  });
  page.on('popup', (popup) => {
    window.webContents.openHandler?.({ url: popup.url() });
    void popup.close();
  });
}

interface EventReceiver {
  __emit?: (channel: string, value: unknown) => void;
}

/** Bytes are transferred as arrays of numbers. */
const revived = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'bytes' in input && Array.isArray(input.bytes)
    ? { ...input, bytes: Uint8Array.from(input.bytes as number[]) }
    : input;

/** The preload with a stand-in of Electron's API; never runs in frames. */
const wrapped = (preload: string): string => `
if (window === window.top) {
  const listeners = new Map();
  window.__emit = (channel, value) => listeners.get(channel)?.({}, value);
  const plain = (given) =>
    given && given.bytes instanceof Uint8Array ? { ...given, bytes: [...given.bytes] } : given;
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => { window[name] = api; } },
    ipcRenderer: {
      invoke: (channel, given) => window.__invoke(channel, plain(given)),
      on: (channel, listener) => listeners.set(channel, listener),
    },
    webUtils: { getPathForFile: (file) => file.path ?? '' },
  };
  const require = (name) => { if (name === 'electron') return electron; throw new Error(name); };
  const module = { exports: {} };
  (function (exports) { ${preload} })(module.exports);
}`;

/** Serves the shell's scheme over HTTP; resolves with its origin on loopback. */
export function serveScheme(): Promise<string> {
  served ??= new Promise((resolve) => {
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
    server.unref();
  });
  return served;
}

/** Origin of the requesting page, from a header that Chromium sets and no page can change. */
function initiatorOf(headers: Headers): string | null {
  const site = headers.get('sec-fetch-site');
  if (site === 'none') return null;
  return site === 'same-origin' ? shell : (headers.get('origin') ?? 'null');
}

/** Calls the handler of the scheme, as Electron does. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const handler = asked.protocols.get('app');
  if (!handler) throw new Error('Nobody serves the scheme.');
  const origin = await serveScheme();
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && name !== 'connection')
      headers.set(name, value === origin ? shell : value);
  const { method = 'GET', url = '/' } = request;
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(request);
  const initiatorOrigin = initiatorOf(headers);
  const page = { method, headers, body: body as BodyInit | null, initiatorOrigin };
  const reply = await handler(shell + url, page);
  const replyHeaders = Object.fromEntries(reply.headers);
  delete replyHeaders['content-encoding'];
  delete replyHeaders['content-length'];
  delete replyHeaders['transfer-encoding'];
  response.writeHead(reply.status, replyHeaders);
  if (!reply.body) return void response.end();
  // Also for a stream that has not sent data yet.
  response.flushHeaders();
  // If the page cancels, or the answer breaks off, the other side ends too.
  await pipeline(Readable.fromWeb(reply.body as WebStream), response);
}
