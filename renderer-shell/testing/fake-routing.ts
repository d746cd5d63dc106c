import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../../service/contract/index.ts';
import { api, tokenHeader } from '../../service/contract/index.ts';
import type { FakeRequest } from './fake-request.ts';
import type { FakeHost, FakeProblem } from './fake-host.ts';

/** An endpoint with the parameters of its path. */
export interface MatchedRoute {
  endpoint: Endpoint;
  params: Record<string, string>;
}

const endpoints: Endpoint[] = Object.values(api).flatMap((group) => Object.values<Endpoint>(group));

export function find(method: string, path: string): MatchedRoute | null {
  for (const endpoint of endpoints) {
    if (endpoint.method !== method) continue;
    const pattern = endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (match) return { endpoint, params: decodedOf(match.groups ?? {}) };
  }
  return null;
}

const decodedOf = (groups: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(groups).map(([key, value]) => [key, decodeURIComponent(value)]),
  );

export function refusal(
  host: FakeHost,
  { access }: Endpoint,
  request: IncomingMessage,
  spendTicket: (url: string) => boolean,
): FakeProblem | null {
  const unauthorized = {
    status: 401,
    code: 'unauthorized',
    detail: 'The token is missing or wrong.',
  };
  if (access.kind === 'ticket') {
    return spendTicket(request.url ?? '') ? null : unauthorized;
  }
  if (access.kind !== 'token') return null;
  if (request.headers[tokenHeader.toLowerCase()] !== host.token) return unauthorized;
  if (host.setup.initialized) return null;
  return { status: 404, code: 'setup_required', detail: 'Set up a database first.' };
}

export async function read(
  request: IncomingMessage,
  { endpoint, params }: MatchedRoute,
): Promise<FakeRequest> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const query = Object.fromEntries(url.searchParams);
  const result: FakeRequest = { params, query, body: undefined, files: [], fields: {} };
  endpoint.params?.parse(params);
  endpoint.query?.parse(query);
  if (endpoint.body && 'kind' in endpoint.body) {
    await readForm(bytes, request.headers['content-type'] ?? '', result);
    endpoint.body.fields.parse(result.fields);
  } else if (endpoint.body) {
    const text = bytes.toString('utf8');
    result.body = endpoint.body.parse(text === '' ? undefined : JSON.parse(text));
  }
  return result;
}

/** Fields whose names end with `[]` may be repeated and are lists. */
async function readForm(bytes: Buffer, type: string, result: FakeRequest): Promise<void> {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData();
  for (const [name, value] of form) {
    if (typeof value !== 'string') result.files.push(value);
    else if (name.endsWith('[]')) result.fields[name] = form.getAll(name).map(String);
    else result.fields[name] = value;
  }
}
