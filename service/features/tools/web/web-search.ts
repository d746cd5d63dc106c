import type { WritableSettings } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { checkUrl } from '../../../platform/web/check-url.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { publicOnly } from '../../../platform/web/network-policy.ts';
import { jsonResult, type Tool, type ToolCall, type ToolResult } from '../tool.ts';
import { chosenNetworkPolicy, type SearchResult } from './search-provider.ts';
import { searchProviders } from './search-providers.ts';

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;
const defaultLimit = 8;
const maxLimit = 20;

export interface WebSearchOptions {
  settings: () => WritableSettings['webSearch'];
  /** `host.web.allow`. */
  allow: readonly string[];
}

const notConfigured =
  'No search server is set up, so nothing was searched. A person can choose one in the settings (webSearch): SearXNG with its address, or Brave or Tavily with an API key. Until then, use web_fetch with addresses that are known.';

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
    effect: 'read',
    guarded: true,
    aliases: ['WebSearch', 'websearch', 'google_web_search'],
    run: (call) => run(options, call),
  };
}

async function run({ settings, allow }: WebSearchOptions, call: ToolCall): Promise<ToolResult> {
  const { query, limit = defaultLimit } = call.arguments as { query: string; limit?: number };
  const { provider, baseUrl: chosen, apiKey } = settings();
  if (provider === 'none') return jsonResult({ results: [], message: notConfigured });
  const { name, standardUrl, needsKey, request } = searchProviders[provider];
  const baseUrl = chosen === '' ? standardUrl : chosen;
  if (baseUrl === null) throw incomplete(`${name} needs the address of a server`);
  if (needsKey && apiKey === '') throw incomplete(`${name} needs an API key`);
  const { url, method, headers, body, read } = request({ query, limit, baseUrl, apiKey });
  const answer = await guardedFetch(url, {
    method,
    headers,
    body,
    signal: call.signal,
    maxBytes,
    timeoutMs,
    // Only the address that a person entered may be anywhere; it sends nobody on.
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
    const message = `${name} did not answer with JSON. Check its address in the settings; a SearXNG server must allow the format json.`;
    throw new HostError('upstream-failed', 'search_failed', message);
  }
}

/** What leads to this machine or a private network is no result. */
function isPublic(url: SearchResult['url']): boolean {
  try {
    checkUrl(url, publicOnly([]));
    return true;
  } catch {
    return false;
  }
}

function incomplete(what: string): HostError {
  const message = `The web search is not set up completely: ${what}. A person can enter it in the settings (webSearch).`;
  return new HostError('conflict', 'search_not_configured', message);
}

function refusedBy(name: string, status: number): HostError {
  const why =
    status === 401 || status === 403
      ? 'Check the API key in the settings; a SearXNG server must allow the format json.'
      : status === 429
        ? 'It takes no more searches for now. Try again later.'
        : 'Try again later.';
  return new HostError(
    'upstream-failed',
    'search_failed',
    `${name} answered with ${status}. ${why}`,
  );
}
