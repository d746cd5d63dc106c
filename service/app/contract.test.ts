import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, hostVersion, tokenHeader } from '../contract/index.ts';
import { describeApi } from '../contract/openapi.ts';
import { startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

const endpoints: [string, Endpoint][] = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members as Record<string, Endpoint>).map(([name, value]): [string, Endpoint] => [
    `${group}.${name}`,
    value,
  ]),
);

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Description {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

let description: Description;
const test = await useForFile(startTestHost());

beforeAll(async () => {
  description = (await test.client.call(api.host.openapi)) as unknown as Description;
});

function operationOf({ method, path }: Endpoint): Operation {
  const operation = description.paths[path.replace('{*', '{')]?.[method.toLowerCase()];
  return operation ?? expect.unreachable(`${method} ${path} is not described`);
}

function typeOf({ reply }: Endpoint): string {
  if (reply === undefined || !('kind' in reply)) return 'application/json';
  return reply.kind === 'bytes' ? reply.contentType : 'text/event-stream';
}

describe('the version', () => {
  it('is the same everywhere it is reported [VERSION-01]', async () => {
    expect(hostVersion).toBe('4.0.0-beta.4');
    expect(description.info.version).toBe(hostVersion);
    const manifest = await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
    expect((JSON.parse(manifest) as { version: string }).version).toBe(hostVersion);
  });

  it('is in no path [VERSION-03]', () => {
    const allPaths = [...endpoints.map(([, { path }]) => path), ...Object.keys(description.paths)];
    expect(allPaths.filter((path) => /\/v?\d/i.test(path))).toEqual([]);
  });
});

describe('the description of the API', () => {
  it('is OpenAPI 3.1 and lists every endpoint once, with its access', () => {
    expect(description.openapi).toMatch(/^3\.1\./);
    const listed = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const expected = endpoints.map(
      ([, { method, path }]) => `${method.toLowerCase()} ${path.replace('{*', '{')}`,
    );
    expect(listed.sort()).toEqual(expected.sort());
    expect(new Set(expected).size).toBe(expected.length);
    for (const [name, endpoint] of endpoints) {
      const { access } = endpoint;
      const operation = operationOf(endpoint);
      expect(operation.operationId).toBe(name);
      const keys = operation.security.flatMap((one) => Object.keys(one)).sort();
      const tokenless = { open: [], setup: [], 'setup-or-token': ['token'], token: ['token'] };
      const ticketed =
        access.kind === 'ticket' && access.orToken ? ['ticket', 'token'] : ['ticket'];
      expect(keys, name).toEqual(access.kind === 'ticket' ? ticketed : tokenless[access.kind]);
    }
  });

  it('names every parameter, body and response of an endpoint', () => {
    for (const [name, endpoint] of endpoints) {
      const path = endpoint.path.replace('{*', '{');
      const operation = operationOf(endpoint);
      const holes = [...path.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path') ?? [];
      expect(inPath.map((parameter) => parameter.name).sort(), name).toEqual(holes.sort());
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(operation.requestBody !== undefined, name).toBe(endpoint.body !== undefined);
      const status = String(endpoint.status ?? (endpoint.reply ? 200 : 204));
      expect(operation.responses[status], name).toBeDefined();
      expect(operation.responses['default']?.content, name).toHaveProperty(
        'application/problem+json',
      );
    }
  });

  it('has no unresolved references', () => {
    const references: string[] = [];
    JSON.stringify(description, (key, value: unknown) => {
      if (key === '$ref') references.push(String(value));
      return value;
    });
    expect(references.length).toBeGreaterThan(endpoints.length - 1);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\//);
      let found: unknown = description;
      for (const part of reference.slice(2).split('/'))
        found = (found as Record<string, unknown> | undefined)?.[part];
      expect(found, reference).toBeDefined();
    }
    expect(description.components.securitySchemes).toEqual({
      token: { type: 'apiKey', in: 'header', name: tokenHeader },
      ticket: { type: 'apiKey', in: 'query', name: 'ticket' },
    });
  });

  it('is the same on each request', async () => {
    expect(await test.client.call(api.host.openapi)).toEqual(description);
    expect(JSON.parse(JSON.stringify(describeApi()))).toEqual(description);
  });

  it('describes request bodies as JSON, and files as multipart [HTTP-01, HTTP-02]', () => {
    for (const [name, endpoint] of endpoints.filter(([, { body }]) => body !== undefined)) {
      const isUpload = 'kind' in (endpoint.body ?? {});
      expect(Object.keys(operationOf(endpoint).requestBody?.content ?? {}), name).toEqual([
        isUpload ? 'multipart/form-data' : 'application/json',
        ...(name === 'imports.run' ? ['application/json'] : []),
      ]);
    }
  });

  it('describes responses as JSON, live streams as events, and files as bytes [HTTP-01, HTTP-03]', () => {
    for (const [name, endpoint] of endpoints.filter(([, { reply }]) => reply !== undefined)) {
      const answer = operationOf(endpoint).responses[String(endpoint.status ?? 200)];
      expect(Object.keys(answer?.content ?? {}), name).toEqual([
        typeOf(endpoint),
        ...(endpoint.stream ? ['text/event-stream'] : []),
      ]);
    }
  });
});

it('has no callbacks: every event comes over a stream that the client opened [STREAM-01]', () => {
  const text = JSON.stringify(description);
  expect(text).not.toMatch(/"(webhooks|callbacks|callbackUrl|callback|webhook)":/);
  const streams = endpoints.filter(
    ([, { reply }]) => reply && 'kind' in reply && reply.kind === 'events',
  );
  expect(streams.map(([name]) => name).sort()).toEqual([
    'developer.inspect',
    'developer.logs',
    'mcp.logStream',
    'notifications.stream',
    'plugins.logStream',
    'runStreams.agent',
    'runStreams.chat',
    'runStreams.follow',
    'runStreams.turn',
    'store.operationStream',
  ]);
  for (const [name, { method }] of streams) expect(method, name).toBe('GET');
});
