import { exchange, type FetchOptions } from './exchange.ts';

/** A response with its whole body. */
export interface Fetched {
  /** Any, also 304 and errors: what they mean is the caller's. */
  status: number;
  /** Names in lower case; a name that came more than once has its values joined by commas. */
  headers: Record<string, string>;
  /** After redirects. */
  url: string;
  body: Buffer;
}

/**
 * The only way to fetch something from the network: addresses are checked, sizes and times limited.
 * @throws HostError `address_refused`, `too_large`, `too_many_redirects`, `unreachable`
 */
export function guardedFetch(url: string, options: FetchOptions): Promise<Fetched> {
  return exchange(url, options, async ({ read, status, headers, url: last }) => {
    const pieces: Buffer[] = [];
    await read((piece) => {
      pieces.push(piece);
    });
    return { status, headers, url: last, body: Buffer.concat(pieces) };
  });
}
