import { tidy } from './plain-page.ts';
import type { SearchProvider, SearchResult } from './search-provider.ts';

const searxng: SearchProvider = {
  name: 'SearXNG',
  standardUrl: null,
  needsKey: false,
  request({ query, baseUrl, apiKey }) {
    const url = below(baseUrl, 'search');
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    const headers: Record<string, string> = { accept: 'application/json' };
    if (apiKey !== '') headers['authorization'] = `Bearer ${apiKey}`;
    return { url: url.href, method: 'GET', headers, read: listAt(['results'], 'content') };
  },
};

const brave: SearchProvider = {
  name: 'Brave Search',
  standardUrl: 'https://api.search.brave.com',
  needsKey: true,
  request({ query, limit, baseUrl, apiKey }) {
    const url = below(baseUrl, 'res/v1/web/search');
    url.searchParams.set('q', query);
    url.searchParams.set('count', String(limit));
    const headers = { accept: 'application/json', 'x-subscription-token': apiKey };
    return {
      url: url.href,
      method: 'GET',
      headers,
      read: listAt(['web', 'results'], 'description'),
    };
  },
};

const tavily: SearchProvider = {
  name: 'Tavily',
  standardUrl: 'https://api.tavily.com',
  needsKey: true,
  request({ query, limit, baseUrl, apiKey }) {
    return {
      url: below(baseUrl, 'search').href,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query, max_results: limit }),
      read: listAt(['results'], 'content'),
    };
  },
};

export const searchProviders = { searxng, brave, tavily };

/** An address may have a path of its own. */
function below(baseUrl: string, path: string): URL {
  return new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

function listAt(path: string[], snippetField: string): (answer: unknown) => SearchResult[] {
  return (answer) => {
    let value = answer;
    for (const name of path) value = fieldOf(value, name);
    if (!Array.isArray(value)) return [];
    return value.flatMap((one) => {
      const [title, url, snippet] = ['title', 'url', snippetField].map((name) =>
        fieldOf(one, name),
      );
      if (typeof url !== 'string') return [];
      return [{ title: plainText(title) || url, url, snippet: plainText(snippet) }];
    });
  };
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Servers highlight matches with tags. */
function plainText(value: unknown): string {
  return typeof value === 'string' ? tidy(value.slice(0, 4_000).replaceAll(/<[^<>]*>/g, '')) : '';
}
