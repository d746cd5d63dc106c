import type { NetworkPolicy } from '../../../platform/web/network-policy.ts';

/** One result of a web search; `snippet` is plain text. */
export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** A request to a search server, and how its answer is read. */
export interface SearchRequest {
  url: string;
  method: 'GET' | 'POST';
  /** The key goes here, so no address and no error holds it. */
  headers: Record<string, string>;
  body?: string;
  /** From the JSON of the answer: whatever is no list of results gives none. */
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
  /** Where the settings name no address; null: they must. */
  standardUrl: string | null;
  needsKey: boolean;
  request: (options: SearchOptions) => SearchRequest;
}

/** The address that a person entered may be on this machine or in a private network. */
export const chosenNetworkPolicy = (allow: readonly string[]): NetworkPolicy => ({
  loopback: true,
  private: true,
  allow,
});
