import { type Fetched, guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { publicOnly } from '../../../platform/web/network-policy.ts';
import { urlIn } from '../../permissions/index.ts';
import { jsonResult, objectOf, type Tool, type ToolCall, type ToolResult } from '../tool.ts';
import { decodeText } from './decode-text.ts';
import type { PageThread } from './page-thread.ts';
import type { Page } from './plain-page.ts';

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;
const defaultMaxCharacters = 50_000;
const mostCharacters = 500_000;

const accept =
  'text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5';

/** Dependencies of the tool `web_fetch`. */
export interface WebFetchOptions {
  /** The setting `host.web.allow`. */
  allow: readonly string[];
  pages: PageThread;
}

export function webFetch(options: WebFetchOptions): Tool {
  return {
    name: 'web_fetch',
    description:
      'Fetches a public web address and answers its text: pages as Markdown, plain text and JSON as they are. ' +
      'Local and private addresses are refused.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', maxLength: 8_192, description: 'An http or https address.' },
        maxCharacters: {
          type: 'integer',
          minimum: 1,
          maximum: mostCharacters,
          description: `The longest text to answer. Default: ${defaultMaxCharacters}.`,
        },
      },
      required: ['url'],
    },
    resultSchema: objectOf({
      url: 'string',
      status: 'integer',
      contentType: 'string',
      title: 'string',
      text: 'string',
      truncated: 'boolean',
    }),
    effect: 'read',
    address: urlIn,
    guarded: true,
    aliases: ['WebFetch', 'webfetch', 'fetch_webpage'],
    run: (call) => run(options, call),
  };
}

async function run({ allow, pages }: WebFetchOptions, call: ToolCall): Promise<ToolResult> {
  const { url, maxCharacters = defaultMaxCharacters } = call.arguments as {
    url: string;
    maxCharacters?: number;
  };
  const { signal, objection } = call;
  const networkPolicy = publicOnly(allow);
  const fetched = await guardedFetch(url, {
    networkPolicy,
    signal,
    maxBytes,
    timeoutMs,
    headers: { accept },
    ...(objection && { objection }),
  });
  const read = (bytes: Uint8Array, contentType: string): Promise<Page> =>
    pages.read({ bytes, contentType, url: fetched.url, maxCharacters }, signal);
  const page = await textOf(fetched, read);
  const { status } = fetched;
  const contentType = fetched.headers['content-type'] ?? '';
  const truncated = page.text.length > maxCharacters;
  const result = jsonResult({
    url: fetched.url,
    status,
    contentType,
    ...(page.title !== undefined && { title: page.title.slice(0, 500) }),
    text: wellFormed(page.text.slice(0, maxCharacters)),
    truncated,
  });
  return { ...result, success: status < 400 };
}

/** Removes half of a surrogate pair at the cut. */
const wellFormed = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '');

async function textOf(
  { body, headers }: Fetched,
  readPage: (bytes: Uint8Array, contentType: string) => Promise<Page>,
): Promise<Page> {
  const contentType = headers['content-type'] ?? '';
  const kind = kindOf(contentType, body);
  if (kind === 'page') return readPage(body, contentType);
  if (kind === 'text') return { text: decodeText(body, contentType) };
  const type = contentType === '' ? 'unknown content' : contentType.slice(0, 100);
  return {
    text: `The address leads to ${type} of ${body.length} bytes, which is not text. Only text can be read here.`,
  };
}

const textType =
  /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|ld\+json)$|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml)$)/;

function kindOf(contentType: string, body: Buffer): 'page' | 'text' | 'other' {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'page';
  const start = body.subarray(0, 1_024);
  if (textType.test(type)) return 'text';
  if (type !== '' && type !== 'application/octet-stream') return 'other';
  if (start.includes(0)) return body.length === 0 ? 'text' : 'other';
  return /<!doctype html|<html/i.test(start.toString('latin1')) ? 'page' : 'text';
}
