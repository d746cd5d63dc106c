import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../app/index.ts';
import { api, hostVersion } from '../../contract/index.ts';
import { installSample } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

interface Report {
  createdAt: string;
  system: Record<string, unknown>;
  diagnostics: Record<string, unknown> & { version: string; errors: { message: string }[] };
  settings: Record<string, unknown>;
  log: string[];
}

/** Part of every planted secret. */
const mark = 'c4nary';
const planted = (name: string): string => `${name}-${mark}-0123456789`;

let test: TestHost;
beforeAll(async () => {
  vi.stubEnv('SOME_SERVICE_TOKEN', planted('environment'));
  const first = await startTestHost();
  await first.stop();
  const log = createLog({ level: 'INFO', directory: first.paths.logs, stderr: false });
  test = await startTestHost({
    log,
    workDirectory: first.workDirectory,
    token: planted('token'),
    machineKey: planted('machine-key'),
    logLevelFromLaunch: false,
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await test.close();
  await test.log.close();
});

const read = async (): Promise<{
  text: string;
  report: Report;
  headers: Record<string, unknown>;
}> => {
  const { status, text, headers } = await test.ask('/api/diagnostics/report');
  expect(status).toBe(200);
  return { text, report: JSON.parse(text) as Report, headers };
};

/** Puts secrets in every place where a user or their programs can put one. */
async function plantSecrets(): Promise<void> {
  const { client } = test;
  await client.call(api.settings.put, {
    body: {
      logLevel: 'TRACE',
      permissionRules: { deny: `Command(curl -H ${planted('rule')})`, ask: '', allow: '' },
      hooks: [
        {
          type: 'command',
          name: planted('hook-name'),
          event: 'pre_tool_use',
          matcher: planted('matcher'),
          timeoutSeconds: 5,
          enabled: true,
          command: `curl -H "Authorization: Bearer ${planted('hook')}" localhost`,
        },
        {
          type: 'http',
          name: 'web',
          event: 'run_error',
          matcher: '',
          timeoutSeconds: 5,
          enabled: true,
          url: `http://user:${planted('hook-url')}@127.0.0.1:9/?key=${mark}`,
        },
        {
          type: 'command',
          name: 'complains',
          event: 'pre_tool_use',
          matcher: '',
          timeoutSeconds: 5,
          enabled: true,
          command: `echo "refused Bearer ${planted('hook-error')} ${planted('plugin-setting')}" >&2; exit 3`,
        },
      ],
      webSearch: {
        provider: 'tavily',
        apiKey: planted('search-key'),
        baseUrl: `http://127.0.0.1:9/${mark}`,
      },
      updateApiBase: `http://127.0.0.1:9/?key=${mark}`,
    },
  });
  await client.call(api.aiConfig.put, {
    body: { cloud_a: { apiKey: planted('model-key'), model: 'm', baseUrl: '' } },
  });
  const complain = `console.error(process.env.API_KEY, process.env.PLAIN); process.exit(3)`;
  await client.call(api.mcp.create, {
    body: {
      name: 'stdio',
      transport: 'STDIO',
      command: process.execPath,
      args: ['-e', complain],
      env: { API_KEY: planted('mcp-env'), PLAIN: planted('mcp-plain') },
    },
  });
  await client.call(api.mcp.create, {
    body: {
      name: 'web',
      transport: 'STREAMABLE_HTTP',
      url: 'http://127.0.0.1:9/mcp',
      headers: { 'X-Own': planted('mcp-header') },
    },
  });
  const { id } = await installSample(test, {
    manifest: { userConfig: { key: { type: 'string', title: 'Key', sensitive: true } } },
  });
  await client.call(api.plugins.setConfig, {
    params: { id },
    body: { key: planted('plugin-setting') },
  });
  // Error texts of libraries and programs quote their input.
  const knownSecrets = [
    'token',
    'machine-key',
    'environment',
    'search-key',
    'model-key',
    'mcp-env',
    'mcp-plain',
    'mcp-header',
    'plugin-setting',
  ];
  for (const name of knownSecrets) {
    test.log.info('mcp', `A library wrote ${planted(name)} here.`);
    test.log.error('mcp', 'A library failed', new Error(`with “${planted(name)}”`));
  }
  test.log.warn('http', `Cookie: id=${planted('cookie')}; password=${planted('password')}`);
  test.log.warn(
    'http',
    `https://user:${planted('url')}@127.0.0.1/ and Bearer ${planted('bearer')}`,
  );
  await test.ask(`/api/notifications?ticket=${planted('ticket')}&token=${planted('query')}`);
  const message = planted('message');
  await client
    .call(api.chat.start, { body: { messages: [{ role: 'user', content: message }] } })
    .catch(() => undefined);
  await client.call(api.agent.run, {
    body: {
      goal: planted('goal'),
      config: { planApproval: false, permissionMode: 'full-access' },
      workflow: {
        steps: [
          {
            title: planted('title'),
            tool: 'execute_command',
            dependsOn: [],
            arguments: { command: `echo ${planted('argument')} >&2; exit 3` },
          },
        ],
      },
    },
  });
  await expect
    .poll(async () => (await client.call(api.agent.runs)).every(({ finishedAt }) => finishedAt))
    .toBe(true);
}

describe('the bug report', () => {
  it('is one file with versions, diagnostics, isolation, settings and the end of the log', async () => {
    test.log.warn('mcp', 'Something to look at.');
    const { report, headers } = await read();
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="plugin-host-report-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(report).toMatchObject({
      createdAt: expect.any(String) as string,
      system: { arch: process.arch },
      diagnostics: {
        version: hostVersion,
        node: process.versions.node,
        database: { type: 'SQLITE' },
        isolation: { platform: process.platform },
      },
      settings: {
        theme: 'light',
        logLevel: 'INFO',
        logLevels: {},
        permissionRules: { deny: '0 lines' },
      },
    });
    expect(report.diagnostics.errors.map(({ message }) => message)).toContain(
      'Something to look at.',
    );
    expect(report.log.join('\n')).toContain('WARN  [mcp] Something to look at.');
  });

  it('contains none of the secrets planted everywhere, but the facts around them', async () => {
    await plantSecrets();
    const { text, report } = await read();
    expect(report.log.length).toBeGreaterThan(20);
    expect(report.log.join('\n')).toContain('A library wrote *** here.');
    expect(report.log.join('\n')).toContain('refused Bearer *** ***');
    expect(report.settings).toMatchObject({
      permissionRules: { deny: '1 line' },
      hooks: [{ type: 'command', event: 'pre_tool_use' }, { type: 'http' }, { type: 'command' }],
      webSearch: { provider: 'tavily', baseUrl: 'http://127.0.0.1:9', hasApiKey: true },
      updateApiBase: 'http://127.0.0.1:9',
    });
    expect(report.diagnostics).toMatchObject({ mcp: [{ name: 'stdio' }, { name: 'web' }] });
    const found = text.split('\n').filter((line) => line.includes(mark));
    expect(found).toEqual([]);
  });

  it('requires the token', async () => {
    const answer = await test.ask('/api/diagnostics/report', { headers: { 'X-Host-Token': '' } });
    expect(answer.status).toBe(401);
  });
});
