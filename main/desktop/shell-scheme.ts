import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { protocol } from 'electron';
import {
  filledShellPage,
  type ShellLook,
  shellPolicy,
  tokenHeader,
} from '../../service/app/index.ts';
import { ServiceRequests } from './service-requests.ts';

export const shellScheme = 'app';
export const shellUrl = 'app://shell/';
const shellOrigin = 'app://shell';

/** Compares the parsed URL, since a prefix match could be fooled. */
export function isShellAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return protocol === 'app:' && host === 'shell' && username + password === '';
}

/** Registers the shell's scheme with the fewest privileges. Must run before the app is ready. */
export function registerShellScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: shellScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
    },
  ]);
}

/** Inputs of the shell's scheme handler. */
export interface ShellSource {
  /** Folder of the built shell. */
  directory: string;
  /** Loopback address of the service. */
  serviceUrl: string;
  token: string;
  theme: () => ShellLook;
}

/** Sends a request to the service with these headers, see `ServiceRequests`. */
export type Send = (url: string, request: Request, headers: Headers) => Promise<Response>;

export function serveShell(source: ShellSource): void {
  const requests = new ServiceRequests();
  const handler = shellHandler(source, (...request) => requests.send(...request));
  protocol.handle(shellScheme, handler);
}

/**
 * Handles `app://shell/…`: serves static files, and forwards `/api` to the service with the token
 * added.
 */
export function shellHandler(
  source: ShellSource,
  send: Send,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    if (url.host !== 'shell') return notFound();
    if (url.pathname.startsWith('/api/') || url.pathname.startsWith('/actuator/'))
      return isOfShell(request) ? send(...forwarded(source, request, url)) : forbidden();
    const reads = ['GET', 'HEAD'].includes(request.method);
    return reads ? serve(source, url.pathname, request.method) : notFound();
  };
}

/**
 * Electron sets the origin of the requesting page, which no page can change; absent for requests of
 * the browser.
 */
type HandedRequest = Request & { readonly initiatorOrigin?: string };

/**
 * Only the shell gets the token. The Origin header is no evidence: Electron drops the value `null`.
 */
function isOfShell({ initiatorOrigin }: HandedRequest): boolean {
  return initiatorOrigin === shellOrigin;
}

/** Headers that belong to the connection of the page and are not forwarded. */
const neverForwarded = ['origin', 'host', 'accept-encoding', 'content-length', 'connection'];

function forwarded(source: ShellSource, request: Request, url: URL): Parameters<Send> {
  const headers = new Headers(request.headers);
  for (const name of neverForwarded) headers.delete(name);
  headers.set(tokenHeader, source.token);
  return [source.serviceUrl + url.pathname + url.search, request, headers];
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

async function serve(source: ShellSource, pathname: string, method: string): Promise<Response> {
  const path = pathname === '/' ? '/index.html' : pathname;
  const type = contentTypes[extname(path)];
  if (type === undefined || !/^(\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/.test(path)) return notFound();
  const bytes = await readFile(join(source.directory, path)).catch(() => null);
  if (bytes === null) return notFound();
  const nonce = randomBytes(16).toString('base64url');
  const isPage = type.startsWith('text/html');
  const body = isPage
    ? filledShellPage(bytes.toString('utf8'), nonce, source.theme())
    : new Uint8Array(bytes);
  const headers: Record<string, string> = {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-DNS-Prefetch-Control': 'off',
  };
  if (isPage) headers['Content-Security-Policy'] = shellPolicy(nonce, [source.serviceUrl]);
  return new Response(method === 'HEAD' ? null : body, { headers });
}

function forbidden(): Response {
  return new Response('Forbidden', { status: 403 });
}

function notFound(): Response {
  return new Response('Not found', { status: 404 });
}
