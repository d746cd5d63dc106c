import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { type AgentHost, fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { chromiumBelow } from '../../../testing/browser/chromium-processes.ts';
import { type Site, serveHostileSite } from '../../../testing/browser/hostile-site.ts';
import { only } from '../../../testing/chat-host.ts';
import type { SeenRequest } from '../../../testing/model-server.ts';
import { startTestHost } from '../../../testing/test-host.ts';

let site: Site;
let host: AgentHost;
beforeAll(async () => {
  site = await serveHostileSite();
  host = await startAgentHost({ properties: { webAllow: [site.allow] } });
});
afterAll(async () => {
  await host.close();
  await site.close();
});
afterEach(() => {
  host.model.script(() => ({ text: ['Done.'] }));
  host.model.requests.length = 0;
});

type Call = [tool: string, args: Record<string, unknown>];
const toolCallOf = ([name, args]: Call) => ({
  name: `browser_${name}`,
  arguments: JSON.stringify(args),
});
/** Makes the model call one tool after the other, then answer with text. */
const makes = (...calls: Call[]): void =>
  host.model.script((_request, index) => {
    const call = calls[index];
    return call ? { toolCalls: [toolCallOf(call)] } : { text: ['Done.'] };
  });
const visit = (path: string): Call => ['navigate', { url: `${site.base}${path}` }];
const stepsOf = (...calls: Call[]) => ({
  steps: calls.map(([name, args], index) => ({
    tool: `browser_${name}`,
    title: name,
    arguments: args,
    dependsOn: index === 0 ? [] : [index - 1],
  })),
});
const results = (events: Parameters<typeof only>[0]) =>
  only(events, 'tool').filter(({ phase }) => phase === 'result');
const hasImage = ({ messages }: SeenRequest): boolean =>
  JSON.stringify(messages).includes('data:image/png;base64,');

describe('a screenshot in a turn', () => {
  it('is sent to the model as an image next to its elements, without its bytes in the text [TOOL-09]', async () => {
    makes(visit('/form'), ['screenshot', {}]);
    const [, shot] = results(await host.sendMessage('Look at the page'));
    const screenshot = JSON.parse(String(shot?.['output'])) as {
      image: { data: string };
      dom: string;
    };
    const last = host.model.requests.at(-1);
    expect(last && hasImage(last)).toBe(true);
    const tool = last?.messages.findLast(({ role }) => role === 'tool');
    expect(String(tool?.content)).toContain('Sign in');
    expect(String(tool?.content)).not.toContain(screenshot.image.data.slice(0, 200));
    expect(JSON.stringify(last)).toContain(screenshot.image.data);
  });

  it('is left out for a gateway that refuses images, after one repeated request [TOOL-10]', async () => {
    const calls = [visit('/form'), ['screenshot', {}], ['screenshot', {}]] as Call[];
    let refusals = 0;
    host.model.script((request) => {
      if (hasImage(request))
        return { refuses: { status: 400, message: 'This model does not support image input.' } };
      const call = calls[refusals];
      refusals += 1;
      return call ? { toolCalls: [toolCallOf(call)] } : { text: ['Seen as text.'] };
    });
    const events = await host.sendMessage('Look at the page');
    expect(events.at(-1)).toMatchObject({ event: 'done' });
    expect(host.model.requests.map(hasImage)).toEqual([false, false, true, false, false]);
    expect(JSON.stringify(host.model.requests.at(-1))).toContain('Sign in');
  });
});

describe('a call of the browser', () => {
  it('needs no approval if it only reads, and approval if it acts', async () => {
    makes(visit('/form'), ['click', { selector: '#link' }]);
    const { streamId, events, ended } = await host.startTurn('Click');
    await expect
      .poll(() => only(events, 'approval_requested'))
      .toMatchObject([{ tool: 'browser_click', effect: 'external' }]);
    const [{ callId } = { callId: '' }] = only(events, 'approval_requested');
    const body = { callId: String(callId), decision: 'reject' as const };
    await host.client.call(api.chat.approve, { params: { streamId }, body });
    await ended;
    expect(results(events)).toMatchObject([{ success: true }, { success: false }]);
  });

  it('opens nothing that a deny rule covers, neither directly nor from a page', async () => {
    const permissionRules = { deny: 'WebFetch(domain:localhost)', ask: '', allow: '' };
    await host.client.call(api.settings.put, { body: { permissionRules } });
    makes(['navigate', { url: `http://localhost:${site.port}/form` }], visit('/to-denied'));
    const [first, second] = results(await host.sendMessage('Go there'));
    await host.client.call(api.settings.put, {
      body: { permissionRules: { ...permissionRules, deny: '' } },
    });
    expect(first).toMatchObject({ success: false });
    expect(first?.['output']).toContain('WebFetch(domain:localhost)');
    expect(second?.['output']).toContain('WebFetch(domain:localhost)');
    expect(site.seen).not.toContain('GET /denied');
  });

  it('leaves no page open when its turn or its run ends', async () => {
    makes(visit('/socket'));
    await host.sendMessage('Open it');
    await expect.poll(() => site.sockets()).toBe(0);
    const { run } = await host.finish(stepsOf(visit('/socket'), ['read', {}]), fullAccess);
    expect(run.status).toBe('completed');
    expect(site.seen.filter((one) => one === 'GET /socket')).toHaveLength(2);
    await expect.poll(() => site.sockets()).toBe(0);
  });

  it('returns the complete result to steps of a run, and each run has its own browser', async () => {
    const twice = stepsOf(visit('/cookie'), visit('/cookie'), ['screenshot', {}]);
    for (let time = 0; time < 2; time += 1) {
      const { run } = await host.finish(twice, fullAccess);
      const [one, two, three] = run.executions.map(({ result }) => result);
      expect([one, two]).toMatchObject([{ title: 'cookie none' }, { title: 'cookie who=me' }]);
      expect(three).toMatchObject({ image: { mimeType: 'image/png' } });
    }
  });

  it('to a page that floods the browser does not block the host', async () => {
    makes(visit('/console'), ['wait', { milliseconds: 2_000 }]);
    const { events, ended } = await host.startTurn('Open it');
    await expect.poll(() => site.seen).toContain('GET /console');
    const slow: number[] = [];
    for (let asked = 0; asked < 20; asked += 1) {
      const startedMs = performance.now();
      expect((await host.ask('/api/health')).status).toBe(200);
      const tookMs = performance.now() - startedMs;
      if (tookMs > 2_000) slow.push(tookMs);
    }
    expect(slow).toEqual([]);
    await ended;
    expect(events.at(-1)).toMatchObject({ event: 'done' });
  });
});

describe('a browser', () => {
  it('is offered to models if there is one [TOOL-08]', async () => {
    const tools = await host.client.call(api.tools.list, {});
    const names = tools.map(({ name }) => name).filter((name) => name.startsWith('browser_'));
    expect(names.toSorted().join(' ')).toBe(
      [
        'browser_back browser_click browser_close browser_navigate browser_press browser_read',
        'browser_screenshot browser_scroll browser_select browser_snapshot browser_tabs',
        'browser_type browser_wait',
      ].join(' '),
    );
    expect(tools.find(({ name }) => name === 'browser_type')?.inputSchema).toMatchObject({
      properties: { selector: {}, text: {}, submit: {} },
      required: ['selector', 'text'],
    });
  });

  it('that is killed is reported, and another one starts', async () => {
    makes(visit('/form'), ['wait', { milliseconds: 30_000 }], visit('/second'));
    const { events, ended } = await host.startTurn('Open it');
    await expect.poll(() => only(events, 'tool').at(-1)).toMatchObject({ name: 'browser_wait' });
    const [leader = 0] = await chromiumBelow(host.paths.browser);
    process.kill(leader, 'SIGKILL');
    await ended;
    const [, waited, next] = results(events);
    expect(JSON.parse(String(waited?.['output']))).toEqual({
      available: false,
      code: 'browser_unavailable',
      reason: expect.stringContaining('Start again with browser_navigate') as unknown,
    });
    expect(next).toMatchObject({ success: true });
  });

  it('that is missing has no tools; one that cannot start reports how to get one', async () => {
    const toolsWith = async (browserPath: string) => {
      const other = await startTestHost({ properties: { browserPath } });
      try {
        const tools = await other.client.call(api.tools.list, {});
        return tools.map(({ name }) => name).filter((name) => name.startsWith('browser_'));
      } finally {
        await other.close();
      }
    };
    expect(await toolsWith('/nowhere/chromium')).toEqual([]);
    const broken = await startAgentHost({
      properties: { browserPath: '/bin/false', webAllow: [site.allow] },
    });
    try {
      const { run } = await broken.finish(stepsOf(visit('/form')), fullAccess);
      expect(run.status).toBe('failed');
      expect(JSON.stringify(run)).toMatch(/browser_unavailable.*apt-get install chromium/);
    } finally {
      await broken.close();
    }
  });

  it('stops with its host, and leaves nothing on disk', async () => {
    const other = await startAgentHost({ properties: { webAllow: [site.allow] } });
    await other.finish(stepsOf(visit('/form')), fullAccess);
    expect((await chromiumBelow(other.paths.browser)).length).toBeGreaterThan(0);
    await other.stop();
    expect(await chromiumBelow(other.paths.browser)).toEqual([]);
    await other.close();
  });
});
