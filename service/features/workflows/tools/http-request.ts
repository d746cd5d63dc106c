import { type Fetched, guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { publicOnly } from '../../../platform/web/network-policy.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { urlIn } from '../../permissions/index.ts';
import {
  failure,
  jsonResult,
  objectOf,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '../../tools/index.ts';

export const sendMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = 'GET' | 'HEAD' | (typeof sendMethods)[number];

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 60_000;
const maxBodyCharacters = 4 * 1024 * 1024;

interface Arguments {
  method?: Method;
  url: string;
  headers?: Record<string, string> | { name: string; value?: unknown }[];
  body?: unknown;
}

const url = { type: 'string', maxLength: 8_192, description: 'An http or https address.' };
const headers = {
  description: 'An object of texts, or a list of {name, value}.',
  type: ['object', 'array'],
  additionalProperties: { type: 'string' },
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, value: { type: ['string', 'number'] } },
    required: ['name'],
  },
};
const resultSchema = objectOf({ status: 'integer', url: 'string', headers: 'object', body: {} });
const answers =
  'Answers {status, headers, body, url}; a body of JSON is answered as a value, any other as text. Local and private addresses are refused.';

/** `allow` is the setting `host.web.allow`. */
export function httpTools(allow: readonly string[]): Tool[] {
  const get: Tool = {
    name: 'http_get',
    description: `Reads from a public web address. ${answers}`,
    inputSchema: {
      type: 'object',
      properties: { url, headers, method: { enum: ['GET', 'HEAD'], default: 'GET' } },
      required: ['url'],
      additionalProperties: false,
    },
    resultSchema,
    effect: 'read',
    address: urlIn,
    run: (call) => request(allow, call),
  };
  const send: Tool = {
    name: 'http_request',
    description: `Sends to a public web address. ${answers} For GET and HEAD there is http_get.`,
    inputSchema: {
      type: 'object',
      properties: {
        method: { enum: ['GET', 'HEAD', ...sendMethods] },
        url,
        headers,
        body: { description: 'A text is sent as it is, any other value as JSON.' },
      },
      required: ['method', 'url'],
      additionalProperties: false,
    },
    resultSchema,
    effect: 'external',
    address: urlIn,
    run: (call) => request(allow, call),
  };
  return [get, send];
}

async function request(allow: readonly string[], call: ToolCall): Promise<ToolResult> {
  const args = call.arguments as unknown as Arguments;
  const { method = 'GET' } = args;
  const written = headersOf(args);
  if ('problem' in written) return failure(written.problem);
  const body = bodyOf(args);
  if (body !== undefined && body.length > maxBodyCharacters)
    return failure(msg('httpRequest.bodyTooLong'));
  const isJson = body !== undefined && typeof args.body !== 'string';
  const { signal, objection } = call;
  const fetched = await guardedFetch(args.url, {
    networkPolicy: publicOnly(allow),
    signal,
    maxBytes,
    timeoutMs,
    method,
    ...(objection && { objection }),
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...written.headers },
    ...(body !== undefined && { body }),
  });
  const { status, url: last } = fetched;
  const result = jsonResult({
    status,
    url: last,
    headers: fetched.headers,
    body: readBody(fetched),
  });
  return { ...result, success: status < 400 };
}

function bodyOf({ body, method = 'GET' }: Arguments): string | undefined {
  if (body === undefined || body === null || method === 'GET' || method === 'HEAD')
    return undefined;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;

function headersOf({
  headers: provided = [],
}: Arguments): { headers: Record<string, string> } | { problem: Message } {
  const pairs = Array.isArray(provided)
    ? provided.map(({ name, value = '' }): [string, string] => [name, String(value)])
    : Object.entries(provided);
  const wrong = pairs.find(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  if (wrong)
    return { problem: msg('httpRequest.headerInvalid', { header: wrong[0].slice(0, 100) }) };
  return { headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])) };
}

function readBody({ headers: answered, body }: Fetched): unknown {
  const type = (answered['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const text = body.toString('utf8');
  if (!/^application\/(?:json|[\w.-]+\+json)$/.test(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
