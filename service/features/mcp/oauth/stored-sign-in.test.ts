import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api, type McpServerView } from '../../../contract/index.ts';
import { createLog } from '../../../platform/log.ts';
import { callTool, textOf, untilState } from '../../../testing/mcp/mcp-host.ts';
import { AuthorizationServer } from '../../../testing/mcp-oauth/authorization-server.ts';
import { addProtected, signIn } from '../../../testing/mcp-oauth/person.ts';
import {
  type ProtectedServer,
  serveProtected,
} from '../../../testing/mcp-oauth/protected-server.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

let host: TestHost;
let authority: AuthorizationServer;
let server: ProtectedServer;
let id: string;
beforeEach(async () => {
  host = await startTestHost();
  authority = await AuthorizationServer.start();
  server = await serveProtected(authority);
  ({ id } = await addProtected(host, server));
  await signIn(host, id);
  await untilState(host, id, 'CONNECTED');
});
afterEach(async () => {
  await host.close();
  await server.close();
  await authority.close();
});

async function restart(): Promise<void> {
  await host.stop();
  host = await startTestHost({ workDirectory: host.workDirectory });
}

function replace(more: object): Promise<McpServerView> {
  return host.client.call(api.mcp.replace, {
    params: { id },
    body: {
      name: 'renamed',
      transport: 'STREAMABLE_HTTP',
      url: server.base,
      enabled: true,
      callTimeoutSeconds: 60,
      trustAnnotations: true,
      ...more,
    },
  });
}

const signIns = (): number =>
  authority.asked.filter((one) => one.startsWith('GET /authorize')).length;
const renewals = (): number =>
  authority.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token').length;

describe('expired tokens', () => {
  it('are renewed repeatedly during a session, without any error', async () => {
    for (let round = 1; round <= 3; round += 1) {
      authority.expire();
      expect(textOf(await callTool(host, id, 'echo'))).toBe('{}');
      expect(renewals()).toBe(round);
    }
    expect(authority.tokenRequests.at(-1)?.get('resource')).toBe(`${server.base}/mcp`);
    expect(signIns()).toBe(1);
  });

  it('are renewed once for concurrent calls', async () => {
    authority.expire();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => callTool(host, id, 'echo', { n })),
    );
    expect(results.map(textOf)).toEqual(results.map((_, n) => `{"n":${n}}`));
    expect(renewals()).toBe(1);
  });

  it('are renewed at the start of the host, without a browser', async () => {
    await restart();
    await untilState(host, id, 'CONNECTED');
    expect(renewals()).toBe(0);
    authority.expire();
    await restart();
    await untilState(host, id, 'CONNECTED');
    expect([renewals(), signIns()]).toEqual([1, 1]);
  });

  it('require a new sign-in if they are refused', async () => {
    authority.behaviour.refusesRefresh = true;
    authority.expire();
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject({
      problem: { code: 'mcp_needs_auth' },
    });
    const { error } = await untilState(host, id, 'NEEDS_AUTH');
    expect(error).toContain('sign in again');
    await restart();
    await untilState(host, id, 'NEEDS_AUTH');
    expect(renewals()).toBe(1);
    authority.behaviour.refusesRefresh = false;
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
  });

  it('are kept while the authorization server fails, and renewed when it works', async () => {
    authority.behaviour.isBroken = true;
    authority.expire();
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject({
      problem: { code: 'mcp_unavailable' },
    });
    await restart();
    const { error } = await untilState(host, id, 'FAILED');
    expect(error).toContain('could not be renewed');
    authority.behaviour.isBroken = false;
    await untilState(host, id, 'CONNECTED');
    expect(signIns()).toBe(1);
  });
});

describe('a stored sign-in', () => {
  it('is kept if only the name of its server changes', async () => {
    await replace({ callTimeoutSeconds: 5 });
    await untilState(host, id, 'CONNECTED');
    await restart();
    await untilState(host, id, 'CONNECTED');
    expect(signIns()).toBe(1);
  });

  it('is removed with the address of its server, and with its server', async () => {
    const tokens = authority.secrets.length;
    await replace({ url: `${server.base}/sse`, transport: 'SSE' });
    await untilState(host, id, 'NEEDS_AUTH');
    await replace({});
    await untilState(host, id, 'NEEDS_AUTH');
    expect(authority.secrets).toHaveLength(tokens);
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    await host.client.call(api.mcp.remove, { params: { id } });
    const again = await addProtected(host, server);
    expect(again.state).toBe('NEEDS_AUTH');
  });

  it('is not readable anywhere: not in answers, logs, the database or any file of the host', async () => {
    await host.close();
    const console = ['warn', 'error', 'info', 'log'] as const;
    const printed = console.map((one) => vi.spyOn(globalThis.console, one));
    const workDirectory = await mkdtemp(join(tmpdir(), 'test-host-'));
    const log = createLog({
      level: 'TRACE',
      directory: join(workDirectory, 'logs'),
      stderr: false,
    });
    authority.behaviour.wantsSecret = true;
    host = await startTestHost({ workDirectory, log });
    ({ id } = await addProtected(host, server));
    const page = await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    authority.expire();
    await callTool(host, id, 'echo');
    authority.behaviour.isBroken = true;
    authority.expire();
    const failed = await host.ask(`/api/mcp/servers/${id}/call`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"tool":"echo"}',
    });
    const answers = await Promise.all(
      ['/api/mcp/servers', '/api/mcp/status', `/api/mcp/servers/${id}/logs`, '/api/settings'].map(
        (path) => host.ask(path),
      ),
    );
    await host.stop();
    await log.close();
    const files = await readdir(host.workDirectory, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    );
    const logged = JSON.stringify(printed.map(({ mock }) => mock.calls));
    const responses = [page, failed, ...answers].map(({ text }) => text);
    const allOutput = [logged, ...responses, ...contents].join('\n');
    expect(authority.secrets.length).toBeGreaterThan(4);
    // Proves that the search works: the address, which is not a secret, is found.
    expect(contents.join('\n')).toContain(`guarded-${server.port}`);
    expect(authority.secrets.filter((secret) => allOutput.includes(secret))).toEqual([]);
    expect(allOutput).not.toMatch(/(?:code|access|refresh|client-secret)-canary/);
  });
});
