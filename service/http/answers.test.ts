import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, Problem } from '../contract/index.ts';
import { startModelServer } from '../testing/model-server.ts';
import { realServer } from '../testing/mcp/real-servers.ts';
import { packPlugin } from '../testing/packages.ts';
import { type Answer, ask, startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

const model = await useForFile(startModelServer());
const test = await useForFile(startTestHost());

beforeAll(async () => {
  const file = new Blob([await packPlugin({ manifest: { id: 'p1' } })]);
  await test.client.call(api.market.upload, { file });
});

const endpoints: [string, Endpoint][] = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members as Record<string, Endpoint>).map(([name, value]): [string, Endpoint] => [
    `${group}.${name}`,
    value,
  ]),
);
const json = { 'Content-Type': 'application/json' };

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
  expect(answer.headers['cache-control']).toBe('no-store');
  const problem = Problem.strict().parse(answer.json());
  expect(problem).toMatchObject({ type: 'about:blank', status, code });
  expect(problem.code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(problem.detail).toMatch(/^[A-Z].*\.$/s);
}

/** Starts an installation of a package that does not exist. */
async function startOperation(): Promise<string> {
  const file = join(test.workDirectory, 'catalog.json');
  const entry = { id: 'acme.absent', name: 'Absent', version: '1.0.0', package: 'absent.plugin' };
  await writeFile(file, JSON.stringify({ plugins: [entry] }));
  await test.client.call(api.store.addSource, { body: { url: pathToFileURL(file).href } });
  const started = await test.ask('/api/plugin-market/acme.absent/install', {
    method: 'POST',
    headers: { Prefer: 'respond-async' },
  });
  return (started.json() as { operationId: string }).operationId;
}

/** Creates a conversation with a turn, on a model server of the test. */
async function startTalk(): Promise<Record<string, Record<string, string>>> {
  const { aiConfig, conversations, chat } = api;
  const cloud_c = { apiKey: 'k', model: 'test-model', baseUrl: model.baseUrl };
  await test.client.call(aiConfig.put, { body: { activeMode: 'cloud_c', cloud_c } });
  const { id } = await test.client.call(conversations.create, { body: {} });
  const command = JSON.stringify({ command: 'true', background: true });
  const toolCalls = [{ name: 'execute_command', arguments: command }];
  model.script((_, index) => (index === 0 ? { toolCalls } : { text: ['Begun.'] }));
  const { uploadId } = await test.client.call(chat.upload, {
    files: [{ blob: new Blob(['Some text']), name: 'some.txt' }],
  });
  const { streamId, said } = await test.client.call(chat.start, {
    body: {
      conversationId: id,
      permissionMode: 'full-access',
      messages: [{ role: 'user', content: 'x' }],
      files: [{ uploadId, name: 'some.txt' }],
    },
  });
  const refId = said?.attachments?.[0]?.refId ?? '';
  const taskIds = async (): Promise<string[]> =>
    (await test.client.call(api.tasks.list)).map(({ taskId }) => taskId);
  await expect.poll(taskIds).toHaveLength(1);
  const [taskId = ''] = await taskIds();
  return {
    'conversations.show': { id },
    'conversations.versions': { id },
    'conversations.attachment': { id, refId },
    'chat.show': { streamId },
    'tasks.output': { taskId },
  };
}

/** Creates a connected MCP server. */
async function startServer(): Promise<Record<string, Record<string, string>>> {
  const body = realServer('everything', ['stdio'], { name: 'everything' });
  const { id } = await test.client.call(api.mcp.create, { body });
  return {
    'mcp.prompts': { id },
    'mcp.resources': { id },
    'mcp.logs': { id },
    'mcp.tools': { id },
  };
}

/** Adds a model provider, whose server lists its models. */
async function addProvider(): Promise<Record<string, Record<string, string>>> {
  const { id } = await test.client.call(api.providers.create, {
    body: { name: 'One', protocol: 'openai', baseUrl: model.baseUrl },
  });
  return { 'providers.models': { id } };
}

/** Starts a run of one step, which waits for the approval of its plan. */
async function startRun(): Promise<Record<string, Record<string, string>>> {
  const steps = [{ tool: 'delay', arguments: { seconds: 0 } }];
  const { runId } = await test.client.call(api.agent.run, {
    body: { goal: 'Wait', workflow: { steps } },
  });
  return { 'agent.show': { runId }, 'agent.export': { runId } };
}

/** Creates a workflow of one step, with a schedule. */
async function storeWorkflow(): Promise<Record<string, Record<string, string>>> {
  const graph = {
    nodes: [{ id: 'a', data: { nodeType: 'delay', inputs: { seconds: 1 } } }],
    edges: [],
  };
  const { id: workflowId } = await test.client.call(api.workflows.create, {
    body: { name: 'One', graph },
  });
  const of = { workflowId };
  await test.client.call(api.workflows.publish, { params: of, body: { published: true } });
  const { id } = await test.client.call(api.schedules.create, {
    body: { workflowId, intervalSeconds: 3_600 },
  });
  return {
    'workflows.show': of,
    'workflows.export': of,
    'workflows.revisions': of,
    'schedules.show': { id },
  };
}

describe('a response', () => {
  it('of every readable endpoint is JSON that matches its schema [HTTP-01]', async () => {
    const create = { source: 'host', level: 'info', title: 'One' } as const;
    await test.client.call(api.notifications.create, { body: create });
    await test.client.call(api.settings.put, { body: { developerMode: true } });
    const params: Record<string, string> = { name: 'process.uptime', id: 'p1' };
    const own: Record<string, Record<string, string>> = {
      'store.operation': { id: await startOperation() },
      ...(await startTalk()),
      ...(await addProvider()),
      ...(await startServer()),
      ...(await startRun()),
      ...(await storeWorkflow()),
    };
    let read = 0;
    for (const [name, { method, path, reply }] of endpoints) {
      if (method !== 'GET' || !reply || 'kind' in reply) continue;
      const pathParams = own[name] ?? params;
      const answer = await test.ask(
        path.replace(/\{(\w+)\}/g, (_, key: string) => pathParams[key] ?? ''),
      );
      expect(answer.status, name).toBe(200);
      expect(answer.headers['content-type'], name).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control'], name).toBe('no-store');
      const shape =
        'strict' in reply ? (reply as unknown as { strict(): typeof reply }).strict() : reply;
      expect(answer.json(), name).toEqual(
        (shape as { parse(v: unknown): unknown }).parse(answer.json()),
      );
      read += 1;
    }
    expect(read).toBe(69);
  });

  it('never contains the address of the client', async () => {
    const requests = [
      'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'GET /api/health HTTP/1.1\r\nHost: evil',
      'GET /api/health HTTP/1.1',
      'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nHost: 127.0.0.1:{P}',
      'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nExpect: the-unexpected',
      'PUT /api/settings HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nX-Host-Token: {T}\r\nContent-Length: 0',
      'DELETE /api/notifications/1 HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nX-Host-Token: {T}',
      'GET /plugin-runtime/p1/index.html HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'GET /plugin-runtime/p1/none.html HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'GET http://127.0.0.1:{P}/api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'TRACE /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nbroken line',
      'NONSENSE /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}',
      'GET /api/health HTTP/9.9\r\nHost: 127.0.0.1:{P}',
    ];
    for (const request of requests) {
      const answer = await test.raw(`${request}\r\nConnection: close\r\n\r\n`);
      expect(answer, request).toMatch(/^HTTP\/1\.1 \d{3} /);
      expect(answer, request).toMatch(/\r\nReferrer-Policy: no-referrer\r\n/i);
      expect(answer, request).not.toMatch(
        /\r\n(X-Powered-By|Server|Access-Control-Allow-Cred[a-z]*):/i,
      );
      const isProblem = answer.includes('\r\nContent-Type: application/problem+json\r\n');
      if (!/^HTTP\/1\.1 20[04]/.test(answer)) expect(isProblem, request).toBe(true);
    }
  });

  it('of a request without a Host, or with two, is 400', async () => {
    const two = 'Host: 127.0.0.1:{P}\r\nhost: 127.0.0.1:{P}\r\n';
    for (const hosts of ['', two]) {
      const answer = await test.raw(
        `GET /api/settings HTTP/1.1\r\n${hosts}X-Host-Token: {T}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"invalid_host"');
    }
  });
});

describe('an error', () => {
  it.each([
    ['GET', '/api/nothing', 404, 'not_found'],
    ['GET', '/nothing', 404, 'not_found'],
    ['GET', '/api/notifications/7777777/read/again', 404, 'not_found'],
    ['GET', '/api/plugin-runtime/none', 404, 'unknown_plugin'],
    ['GET', '/api/plugin-runtime/NOT-AN-ID', 404, 'not_found'],
    ['GET', '/actuator/metrics/none', 404, 'unknown_metric'],
    ['POST', '/api/notifications/none/read', 404, 'unknown_notification'],
    ['DELETE', '/api/notifications/7777777', 404, 'unknown_notification'],
    ['GET', '/api/ai/stream?streamId=none', 404, 'unknown_stream'],
    ['POST', '/api/setup/continue', 409, 'already_initialized'],
    ['DELETE', '/api/plugin-market/p1', 400, 'invalid_query'],
    ['POST', '/api/plugin-market/upload', 415, 'wrong_content_type'],
    ['PUT', '/api/settings', 400, 'invalid_body'],
    ['GET', '/api/settings//', 400, 'invalid_target'],
    ['POST', '/plugin-runtime/p1/index.html', 405, 'method_not_allowed'],
  ])('%s %s is %d %s, in the one form [ERROR-01]', async (method, path, status, code) => {
    expectProblem(await test.ask(path, { method }), status, code);
  });

  it('in a body names every field that is wrong [ERROR-01]', async () => {
    const body = JSON.stringify({ theme: 'pink', logLevel: 'LOUD', hooks: [{ name: '' }] });
    const answer = await test.ask('/api/settings', { method: 'PUT', headers: json, body });
    expectProblem(answer, 400, 'invalid_body');
    const { errors } = answer.json() as Problem;
    expect(errors?.map(({ path }) => path).sort()).toEqual(['hooks.0.type', 'logLevel', 'theme']);
  });

  it('is limited in size', async () => {
    const hooks = Array.from({ length: 1_000 }, () => ({}));
    const body = JSON.stringify({ hooks });
    const answer = await test.ask('/api/settings', { method: 'PUT', headers: json, body });
    expectProblem(answer, 400, 'invalid_body');
    expect((answer.json() as Problem).errors).toHaveLength(50);
  });

  it('keeps the connection open for the next request', async () => {
    const bad = '{"theme":';
    const put = `PUT /api/settings HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nX-Host-Token: {T}\r\nContent-Type: application/json\r\nContent-Length: ${bad.length}\r\n\r\n${bad}`;
    const health = 'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\nConnection: close\r\n\r\n';
    const answers = await test.raw(put + put + health);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 400',
      'HTTP/1.1 400',
      'HTTP/1.1 200',
    ]);
  });
});

describe('a method', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

  it('that a path does not support is 405 with the supported ones, for each path and method', async () => {
    const byPath = Map.groupBy(endpoints, ([, { path }]) => path);
    byPath.delete(api.host.webSession.path);
    for (const [path, members] of byPath) {
      const taken = members.map(([, { method }]) => method as string);
      for (const method of methods.filter((name) => !taken.includes(name))) {
        const answer = await test.ask(path.replace(/\{\*?\w+\}/g, 'p1'), { method });
        expect(answer.status, `${method} ${path}`).toBe(405);
        expect(answer.headers.allow?.split(', ').sort(), path).toEqual(taken.sort());
        expect((answer.json() as Problem).code).toBe('method_not_allowed');
      }
    }
  });

  it('OPTIONS grants nothing to other origins', async () => {
    for (const path of ['/api/settings', '/api/health', '/api/nothing', '/plugin-runtime/p1/x']) {
      const headers = {
        Origin: 'https://evil.test',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'x-host-token',
      };
      for (const requestHeaders of [
        headers,
        { ...headers, Origin: 'null' },
        { ...headers, Origin: '' },
      ]) {
        const answer = await test.ask(path, { method: 'OPTIONS', headers: requestHeaders });
        expect([403, 404, 405], path).toContain(answer.status);
        const cors = Object.keys(answer.headers).filter((name) =>
          name.startsWith('access-control'),
        );
        expect(cors, path).toEqual([]);
      }
    }
  });

  it('HEAD has the headers of GET and no body', async () => {
    for (const path of ['/api/health', '/api/settings', '/plugin-runtime/p1/index.html']) {
      const [get, head] = [await test.ask(path), await test.ask(path, { method: 'HEAD' })];
      expect(head.status, path).toBe(200);
      expect(head.text, path).toBe('');
      for (const name of ['content-type', 'content-length', 'cache-control', 'referrer-policy'])
        expect(head.headers[name], `${path} ${name}`).toBe(get.headers[name]);
    }
    const refused = await ask(test.port, '/api/settings', { method: 'HEAD' });
    expect(refused.status).toBe(401);
    expect(refused.text).toBe('');
    expect((await test.ask('/api/settings', { method: 'HEAD' })).status).toBe(200);
  });

  it('HEAD of a stream ends at once', async () => {
    const host = 'Host: 127.0.0.1:{P}\r\nX-Host-Token: {T}\r\n';
    const answers = await test.raw(
      `HEAD /api/plugin-runtime/p1/logs/stream HTTP/1.1\r\n${host}\r\n` +
        `GET /api/health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(answers).toMatch(/^Content-Type: text\/event-stream/im);
    expect(answers).toContain('{"status":"ok"}');
  });
});
