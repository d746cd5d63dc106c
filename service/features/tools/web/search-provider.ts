import type { NetworkPolicy } from '../../../platform/web/network-policy.ts';

/** One result of a web search; `snippet` is plain text. */
export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** A request to a search server, and the reader of its answer. */
export interface SearchRequest {
  url: string;
  method: 'GET' | 'POST';
  /** The key is sent here, so that no address and no error contains it. */
  headers: Record<string, string>;
  body?: string;
  /** Reads the JSON of the answer; anything but a list of results becomes an empty list. */
  read: (answer: unknown) => SearchResult[];
}

/** A query with the address and key of the search provider; `limit` is the number of results. */
export interface SearchOptions {
  query: string;
  limit: number;
  baseUrl: string;
  apiKey: string;
}

/** One kind of search server. */
export interface SearchProvider {
  name: string;
  /** The default address; null if the settings must name one. */
  standardUrl: string | null;
  needsKey: boolean;
  request: (options: SearchOptions) => SearchRequest;
}

/** An address that a person entered may be on this machine or in a private network. */
export const chosenNetworkPolicy = (allow: readonly string[]): NetworkPolicy => ({
  loopback: true,
  private: true,
  allow,
});
