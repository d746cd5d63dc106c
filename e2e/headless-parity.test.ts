import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { api, type Endpoint } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { type BuiltHost, createHosts, type StartOptions } from './built-host.ts';
import { electronBinary } from './desktop-app.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

const register = join(import.meta.dirname, '..', 'main', 'testing', 'stand-in', 'register.mjs');

/** The same entry under Electron, the real one if available. */
const underElectron: StartOptions =
  electronBinary === undefined
    ? { nodeArgs: ['--import', register] }
    : { node: electronBinary, nodeArgs: [] };

interface Call {
  method: string;
  path: string;
  token?: boolean;
  body?: unknown;
  form?: () => Promise<FormData>;
}

/** All GET routes without parameters. */
const readings: Call[] = Object.values(api)
  .flatMap((group) => Object.values(group as Record<string, Endpoint>))
  .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  .map(({ path }) => ({ method: 'GET', path }));

const manifest = { id: 'acme.same', name: 'Same', permissions: ['files.read'] };
const upload = async (): Promise<FormData> => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await packPlugin({ manifest }))]), 'same.plugin');
  return form;
};

/** A realistic sequence of API calls, with mistakes. */
const calls: Call[] = [
  ...readings,
  { method: 'GET', path: '/api/settings', token: false },
  { method: 'GET', path: '/api/nothing' },
  { method: 'DELETE', path: '/api/settings' },
  { method: 'PUT', path: '/api/settings', body: { theme: 'dark', logLevel: 'WARN' } },
  { method: 'PUT', path: '/api/settings', body: { theme: 'purple' } },
  { method: 'POST', path: '/api/plugin-market/inspect', form: upload },
  { method: 'POST', path: '/api/plugin-market/upload', form: upload },
  { method: 'GET', path: '/api/plugin-runtime/acme.same' },
  { method: 'GET', path: '/plugin-runtime/acme.same/ui/index.html' },
  {
    method: 'POST',
    path: '/api/plugin-runtime/acme.same/files/native',
    body: { path: '/etc/hostname', kind: 'file', access: 'read' },
  },
  { method: 'POST', path: '/api/plugin-market/upload-native', body: { path: '/a.plugin' } },
  {
    method: 'POST',
    path: '/api/notifications',
    body: { source: 'host', level: 'info', title: 'a' },
  },
  { method: 'POST', path: '/api/ai/conversations', body: {} },
  { method: 'POST', path: '/api/agent/run', body: { goal: 'x', workflow: { steps: [] } } },
  { method: 'POST', path: '/api/notifications/stream-ticket' },
  { method: 'DELETE', path: '/api/plugin-market/acme.same' },
  ...readings,
];

/** Returns the structure of a value: names, types, and texts that are the same everywhere. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = value.map((one) => JSON.stringify(shapeOf(one)));
    return [...new Set(shapes)].sort();
  }
  if (typeof value !== 'object' || value === null)
    return typeof value === 'boolean' ? value : value === null ? null : typeof value;
  const members = Object.entries(value).map(([key, one]) => [key, shapeOf(one)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function ask(host: BuiltHost, call: Call): Promise<Record<string, unknown>> {
  const headers = new Headers();
  if (call.token !== false) headers.set('X-Host-Token', await host.value('HOST_TOKEN'));
  const init: RequestInit = { method: call.method, headers, signal: AbortSignal.timeout(60_000) };
  if (call.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(call.body);
  }
  if (call.form) init.body = await call.form();
  const answer = await fetch((await host.baseUrl()) + call.path, init);
  const kind = answer.headers.get('Content-Type') ?? '';
  const asked = `${call.method} ${call.path}`;
  if (!/json/.test(kind)) {
    await answer.body?.cancel();
    return { asked, status: answer.status, kind };
  }
  const answered = (await answer.json()) as { code?: unknown };
  return { asked, status: answer.status, kind, code: answered.code, shape: shapeOf(answered) };
}

async function askAll(options: StartOptions): Promise<Record<string, unknown>[]> {
  const host = await hosts.start({ ...options, args: ['--port=0', '--setup=SQLITE'] });
  const answers: Record<string, unknown>[] = [];
  for (const call of calls) answers.push(await ask(host, call));
  expect(await host.stop()).toEqual({ code: 0, signal: null });
  return answers;
}

it('headless under Electron is the same service as on plain Node: the same calls have the same answers', async () => {
  const [node, electron] = [await askAll({}), await askAll(underElectron)];
  expect(electron).toEqual(node);
  expect(node.length).toBeGreaterThan(80);
  const statuses = new Set(node.map(({ status }) => status));
  expect(statuses).not.toContain(500);
  for (const status of [200, 400, 401, 404, 501]) expect(statuses).toContain(status);
});
