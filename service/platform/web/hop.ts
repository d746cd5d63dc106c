import { checkUrl, hostOf } from './check-url.ts';
import { refused, type NetworkPolicy } from './network-policy.ts';
import { msg } from '../../messages/index.ts';

export type WebMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of a redirect chain. */
export interface Hop {
  url: URL;
  method: WebMethod;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | undefined;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Headers that reveal nothing about the caller; any other one may contain a key. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'user-agent',
]);

/** Headers of the connection, which the guard sets itself. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Reading methods change nothing, so they can be redirected to another server. */
const isRead = (method: WebMethod): boolean => method === 'GET' || method === 'HEAD';

interface Request {
  method?: WebMethod;
  headers?: Record<string, string>;
  body?: string;
}

export function firstHop(url: URL, { method = 'GET', headers = {}, body }: Request): Hop {
  const lowerCased = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    url,
    method,
    headers: {
      'user-agent': 'plugin-host',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      ...Object.fromEntries(lowerCased.filter(([name]) => !ownHeaders.has(name))),
    },
    body: isRead(method) ? undefined : body,
  };
}

/**
 * Returns the target of a redirect, or null. @throws HostError `address_refused` if the policy
 * forbids it, for a redirect from https to http, or a body for another origin
 */
export function nextHop(
  hop: Hop,
  status: number,
  location: string | string[] | undefined,
  networkPolicy: NetworkPolicy,
): Hop | null {
  const [target] = [location].flat();
  if (!redirectStatuses.has(status) || target === undefined) return null;
  // An invalid address is refused with the same message as one that was entered.
  const url = checkUrl(URL.parse(target, hop.url.href)?.href ?? '', networkPolicy);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refused(msg('web.redirectsToHttp', { host: hostOf(hop.url) }));
  }
  const sameOrigin = url.origin === hop.url.origin;
  const headers = sameOrigin ? hop.headers : only(hop.headers, harmlessHeaders);
  if (isRead(hop.method)) return { ...hop, url, headers };
  if (becomesRead(hop.method, status))
    return { url, method: 'GET', headers: without(headers, 'content-type'), body: undefined };
  if (sameOrigin) return { ...hop, url, headers };
  throw refused(msg('web.sendsElsewhere', { host: hostOf(hop.url) }));
}

/** Changes of the method by a redirect, as in browsers. */
const becomesRead = (method: WebMethod, status: number): boolean =>
  status === 303 || (status < 303 && method === 'POST');

function only(headers: Record<string, string>, names: Set<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name)));
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));
}
