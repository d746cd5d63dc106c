import { exchange, type FetchOptions } from './exchange.ts';

/** A response with its complete body. */
export interface Fetched {
  /** Any status, including 304 and errors, which the caller interprets. */
  status: number;
  /** Names in lower case; the values of a repeated name are joined with commas. */
  headers: Record<string, string>;
  /** Address after redirects. */
  url: string;
  body: Buffer;
}

/**
 * All network access for content goes through this function: addresses are checked, sizes and times
 * limited. @throws HostError `address_refused`, `too_large`, `too_many_redirects`, `unreachable`
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
