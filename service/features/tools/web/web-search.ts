import type { WritableSettings } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { checkUrl } from '../../../platform/web/check-url.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { publicOnly } from '../../../platform/web/network-policy.ts';
import { jsonResult, objectOf, type Tool, type ToolCall, type ToolResult } from '../tool.ts';
import { chosenNetworkPolicy, type SearchResult } from './search-provider.ts';
import { searchProviders } from './search-providers.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;
const defaultLimit = 8;
const maxLimit = 20;

/** Dependencies of the tool `web_search`. */
export interface WebSearchOptions {
  settings: () => WritableSettings['webSearch'];
  /** The setting `host.web.allow`. */
  allow: readonly string[];
}

export function webSearch(options: WebSearchOptions): Tool {
  return {
    name: 'web_search',
    description: 'Searches the web and answers titles, addresses and snippets.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 1_000 },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: maxLimit,
          description: `How many results. Default: ${defaultLimit}.`,
        },
      },
      required: ['query'],
    },
    resultSchema: objectOf({
      results: {
        type: 'array',
        items: objectOf({ title: 'string', url: 'string', snippet: 'string' }),
      },
    }),
    effect: 'read',
    guarded: true,
    aliases: ['WebSearch', 'websearch', 'google_web_search'],
    run: (call) => run(options, call),
  };
}

async function run({ settings, allow }: WebSearchOptions, call: ToolCall): Promise<ToolResult> {
  const { query, limit = defaultLimit } = call.arguments as { query: string; limit?: number };
  const { provider, baseUrl: chosen, apiKey } = settings();
  if (provider === 'none')
    return jsonResult({ results: [], message: textOf(msg('webSearch.notSetUp')) });
  const { name, standardUrl, needsKey, request } = searchProviders[provider];
  const baseUrl = chosen === '' ? standardUrl : chosen;
  if (baseUrl === null) throw incomplete(msg('webSearch.needsAddress', { provider: name }));
  if (needsKey && apiKey === '') throw incomplete(msg('webSearch.needsKey', { provider: name }));
  const { url, method, headers, body, read } = request({ query, limit, baseUrl, apiKey });
  const answer = await guardedFetch(url, {
    method,
    headers,
    body,
    signal: call.signal,
    maxBytes,
    timeoutMs,
    // Only an address that a person entered may be private. Redirects are never followed.
    networkPolicy: chosen === '' ? publicOnly(allow) : chosenNetworkPolicy(allow),
    maxRedirects: 0,
  });
  if (answer.status >= 400) throw refusedBy(name, answer.status);
  const results = read(jsonOf(answer.body, name)).filter(({ url: found }) => isPublic(found));
  return jsonResult({ results: results.slice(0, limit) });
}

function jsonOf(body: Buffer, name: string): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    const message = msg('webSearch.notJson', { provider: name });
    throw new HostError('upstream-failed', 'search_failed', message);
  }
}

/** Results on this machine or in a private network are dropped. */
function isPublic(url: SearchResult['url']): boolean {
  try {
    checkUrl(url, publicOnly([]));
    return true;
  } catch {
    return false;
  }
}

const incomplete = (text: Message): HostError =>
  new HostError('conflict', 'search_not_configured', text);

function refusedBy(name: string, status: number): HostError {
  const text =
    status === 401 || status === 403
      ? msg('webSearch.keyRefused', { provider: name, status })
      : status === 429
        ? msg('webSearch.tooManySearches', { provider: name, status })
        : msg('webSearch.serverFailed', { provider: name, status });
  return new HostError('upstream-failed', 'search_failed', text);
}
