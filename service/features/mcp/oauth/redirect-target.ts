import type { McpOAuth } from '../../../contract/index.ts';

/** Where people come back to from signing in. */
export interface RedirectTarget {
  host: '127.0.0.1' | 'localhost' | '[::1]';
  /** 0: any that is free. */
  port: number;
  /** May be empty: addresses are compared letter by letter. */
  path: string;
}

const pattern = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::(\d+))?(.*)$/s;

/**
 * The address of the definition; without one that of RFC 8252 (7.3): 127.0.0.1 and not `localhost`,
 * which may be looked up, with a free port, which authorization servers have to take there.
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

/** What to register at an authorization server that takes only clients that it knows. */
export const redirectAddress = ({ host, port, path }: RedirectTarget): string =>
  `http://${host}:${port}${path}`;
