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
 * How a sign-in speaks with the server and its authorization server. A server on a public network sends
 * nobody to addresses of private ones; the headers of the server go to its own origin alone, and the one
 * that would stand for the client not even there.
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
      // The kind that stands for a network that failed, so that nothing else is tried instead.
      const message = error instanceof Error ? error.message : String(error);
      throw new TypeError(message, { cause: error });
    }
  };
}

/** Forms and JSON are all that is sent. */
function textOf(body: RequestInit['body']): string {
  if (typeof body === 'string') return body;
  return body instanceof URLSearchParams ? body.toString() : '';
}

/** What the server could reach where it is itself. */
async function networkPolicyOf(server: URL, allow: readonly string[]): Promise<NetworkPolicy> {
  const host = hostOf(server);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const addresses = isLocal ? [{ address: '127.0.0.1' }] : await lookup(host, { all: true });
  const isPublic = addresses.some(({ address }) => addressKind(address).kind === 'public');
  return isPublic ? publicOnly(allow) : { loopback: true, private: true, allow };
}
