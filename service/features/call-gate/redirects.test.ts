import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type AgentHost, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { serveWeb, type WebServer } from '../../testing/web-server.ts';

const denied = 'WebFetch(domain:127.0.0.2)';

let first: WebServer;
let second: WebServer;
let seen: string[] = [];
let host: AgentHost;
beforeAll(async () => {
  const serve = (address: string) =>
    serveWeb((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', `http://${address}`);
      seen.push(`${address}${pathname}`);
      const to = searchParams.get('to');
      response.writeHead(to === null ? 200 : 302, {
        'content-type': 'text/plain',
        ...(to === null ? {} : { location: to }),
      });
      response.end('found');
    }, address);
  [first, second] = await Promise.all([serve('127.0.0.1'), serve('127.0.0.2')]);
  host = await startAgentHost({ properties: { webAllow: [first.allow, second.allow] } });
});
afterAll(async () => {
  await host.close();
  await Promise.all([first.close(), second.close()]);
});
const ruled = (permissionRules: { deny?: string; ask?: string }) =>
  host.client.call(api.settings.put, {
    body: { permissionRules: { deny: '', ask: '', allow: '', ...permissionRules } },
  });
afterEach(async () => {
  seen = [];
  await ruled({});
});

/** Every tool that requests an address, with its arguments. */
const tools: [string, (url: string) => Record<string, unknown>][] = [
  ['web_fetch', (url) => ({ url })],
  ['http_get', (url) => ({ url })],
  ['http_request', (url) => ({ url, method: 'POST', body: 'text' })],
];

const away = () => `${first.base}/start?to=${encodeURIComponent(`${second.base}/end`)}`;
const twice = () => `${first.base}/early?to=${encodeURIComponent(away())}`;

/** Calls a tool as the model in full access. */
async function call(name: string, args: Record<string, unknown>) {
  host.model.script((_request, index) =>
    index === 0 ? { toolCalls: [{ name, arguments: JSON.stringify(args) }] } : { text: ['Done.'] },
  );
  host.model.requests.length = 0;
  const messages = [{ role: 'user' as const, content: 'Fetch it' }];
  const events = await host.sendMessage({ messages, permissionMode: 'full-access' });
  expect(only(events, 'approval_requested')).toEqual([]);
  const [result] = only(events, 'tool').filter(({ phase }) => phase === 'result');
  return { success: result?.['success'], output: String(result?.['output']) };
}

/** Calls a tool as the step of a run. */
async function step(tool: string, args: Record<string, unknown>) {
  const plan = { steps: [{ tool, title: 'Fetch', arguments: args, dependsOn: [] }] };
  const { run } = await host.finish(plan, fullAccess);
  const [execution] = run.executions;
  return { success: run.status === 'completed', output: execution?.error ?? '' };
}

describe.each([
  ['a turn', call],
  ['a run', step],
])('a rule about addresses in %s', (_where, fetch) => {
  it.each(tools)('denies the address and each redirect of %s', async (tool, argsFor) => {
    await ruled({ deny: denied });
    const open = await fetch(tool, argsFor(`${second.base}/end`));
    expect(open).toMatchObject({ success: false });
    expect(open.output).toContain(`The rule ${denied} denies`);
    for (const address of [away(), twice()]) {
      const led = await fetch(tool, argsFor(address));
      expect(led).toMatchObject({ success: false });
      expect(led.output).toContain(`The rule ${denied} denies`);
      expect(led.output).toContain(`${second.base}/end`);
    }
    expect(seen).toContain('127.0.0.1/start');
    expect(seen).not.toContain('127.0.0.2/end');
  });

  it.each(tools)(
    'stops %s at a redirect that needs approval, and names it',
    async (tool, argsFor) => {
      await ruled({ ask: denied });
      const led = await fetch(tool, argsFor(away()));
      expect(led).toMatchObject({ success: false });
      expect(led.output).toContain(`The rule ${denied} asks before`);
      expect(led.output).toContain(`${second.base}/end`);
      expect(seen).toEqual(['127.0.0.1/start']);
    },
  );

  it.each(tools)('allows redirects of %s that no rule covers', async (tool, argsFor) => {
    await ruled({ deny: 'WebFetch(domain:example.com)', ask: 'Tool(task_kill)' });
    expect(await fetch(tool, argsFor(away()))).toMatchObject({ success: true });
    expect(seen).toEqual(['127.0.0.1/start', '127.0.0.2/end']);
  });
});

it('an approved address may redirect to its own host', async () => {
  await ruled({ ask: 'WebFetch(domain:*)' });
  const url = `${first.base}/start?to=/end`;
  const plan = { steps: [{ tool: 'http_get', title: 'Fetch', arguments: { url }, dependsOn: [] }] };
  const run = await host.start({ plan, config: { ...fullAccess, planApproval: false } });
  const gate = await host.gate(run.runId);
  expect(gate).toMatchObject({ gate: 'step', rule: 'WebFetch(domain:*)', suggestedRules: [] });
  await host.approve(run.runId, { decision: 'allow_once' });
  await run.ended;
  expect((await host.show(run.runId)).status).toBe('completed');
  expect(seen).toEqual(['127.0.0.1/start', '127.0.0.1/end']);
});

it.each([...tools.map(([tool]) => tool), 'browser_navigate'])(
  'explain returns the same verdict for %s, whether or not the tool is offered here',
  async (tool) => {
    const rules = { deny: denied, ask: '', allow: '' };
    const body = { tool, arguments: { url: second.base }, rules };
    const explanation = await host.client.call(api.permissions.explain, { body });
    expect(explanation).toMatchObject({ verdict: 'deny', rule: denied });
  },
);

it('explain accepts tools that are switched off and refuses unknown ones', async () => {
  const explain = async (tool: string, args: Record<string, unknown>) => {
    const rules = { deny: denied, ask: '', allow: 'Tool(*)' };
    const body = { tool, arguments: args, rules, permissionMode: 'full-access' as const };
    return host.client.call(api.permissions.explain, { body });
  };
  await host.client.call(api.settings.put, { body: { computerUseEnabled: false } });
  const tools = await host.client.call(api.tools.list);
  expect(tools.map(({ name }) => name)).not.toContain('computer_launch');
  expect(await explain('computer_launch', { app: 'sudo' })).toMatchObject({
    verdict: 'ask',
    floor: true,
  });
  expect(await explain('computer_launch', { app: second.base })).toMatchObject({ verdict: 'deny' });
  expect(await explain('nobody_has_it', { url: second.base })).toMatchObject({ verdict: 'allow' });
});
