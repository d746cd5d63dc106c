import type { McpOAuth } from '../../../contract/index.ts';

/** The local address to which the browser returns after a sign-in. */
export interface RedirectTarget {
  host: '127.0.0.1' | 'localhost' | '[::1]';
  /** 0: any free port. */
  port: number;
  /** May be empty, since addresses are compared character by character. */
  path: string;
}

const pattern = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::(\d+))?(.*)$/s;

/**
 * The address in the definition; by default, that of RFC 8252 (section 7.3): 127.0.0.1 rather than
 * `localhost`, which may be resolved, with a free port, which authorization servers must accept
 * there.
 */
export function redirectTargetOf({ callbackPort = 0, redirectUri = '' }: McpOAuth): RedirectTarget {
  const [, host, port, path = ''] = pattern.exec(redirectUri) ?? [];
  if (host === undefined) return { host: '127.0.0.1', port: callbackPort, path: '/callback' };
  return {
    host: host as RedirectTarget['host'],
    port: port === undefined ? callbackPort : Number(port),
    path,
  };
}

/**
 * The redirect address to register at an authorization server that accepts only registered clients.
 */
export const redirectAddress = ({ host, port, path }: RedirectTarget): string =>
  `http://${host}:${port}${path}`;
