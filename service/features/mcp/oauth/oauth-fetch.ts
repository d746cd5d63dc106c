import { lookup } from 'node:dns/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { addressKind } from '../../../platform/web/address-kind.ts';
import { hostOf } from '../../../platform/web/check-url.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { publicOnly, type NetworkPolicy } from '../../../platform/web/network-policy.ts';

const maxBytes = 1024 ** 2;
const timeoutMs = 15_000;
const maxRedirects = 5;

/**
 * Creates the `fetch` with which a sign-in contacts the server and its authorization server. A
 * server on a public network cannot send it to private addresses. The server's headers go only to
 * its own origin, and `Authorization` is never sent.
 */
export function oauthFetch(
  server: URL,
  headers: Record<string, string>,
  allow: readonly string[],
): FetchLike {
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  );
  return async (to, init) => {
    const url = new URL(to);
    const requestHeaders = Object.fromEntries(new Headers(init?.headers));
    const isGet = (init?.method ?? 'GET') === 'GET';
    try {
      const {
        status,
        headers: responseHeaders,
        body,
      } = await guardedFetch(url.href, {
        networkPolicy: await networkPolicyOf(server, allow),
        maxBytes,
        timeoutMs,
        maxRedirects: isGet ? maxRedirects : 0,
        headers: url.origin === server.origin ? { ...own, ...requestHeaders } : requestHeaders,
        ...(isGet ? {} : { method: 'POST', body: textOf(init?.body) }),
      });
      return new Response(status === 204 ? null : new Uint8Array(body), {
        status,
        headers: responseHeaders,
      });
    } catch (error) {
      // This class of error means a network failure, so the SDK does not try an alternative.
      const message = error instanceof Error ? error.message : String(error);
      throw new TypeError(message, { cause: error });
    }
  };
}

/** Only forms and JSON are sent. */
function textOf(body: RequestInit['body']): string {
  if (typeof body === 'string') return body;
  return body instanceof URLSearchParams ? body.toString() : '';
}

/** The networks that the server itself could reach. */
async function networkPolicyOf(server: URL, allow: readonly string[]): Promise<NetworkPolicy> {
  const host = hostOf(server);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const addresses = isLocal ? [{ address: '127.0.0.1' }] : await lookup(host, { all: true });
  const isPublic = addresses.some(({ address }) => addressKind(address).kind === 'public');
  return isPublic ? publicOnly(allow) : { loopback: true, private: true, allow };
}
