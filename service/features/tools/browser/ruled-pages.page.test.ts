import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { type AgentHost, startAgentHost } from '../../../testing/agent-host.ts';
import { only } from '../../../testing/chat-host.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';

const rule = 'WebFetch(domain:127.0.0.2)';

let first: WebServer;
let second: WebServer;
let seen: string[] = [];
let host: AgentHost;

const end = (): string => `${second.base}/end`;
/** Pages of the first server that lead to the second one. */
const pages: Record<string, () => string> = {
  '/refresh': () => `<meta http-equiv="refresh" content="0;url=${end()}"><title>refresh</title>`,
  '/script': () => `<title>script</title><script>location.href = '${end()}'</script>`,
  '/link': () => `<title>link</title><a id="go" href="${end()}">go</a>`,
  '/parts': () =>
    `<title>parts</title><iframe src="${end()}"></iframe><img src="${end()}"><script>fetch('${end()}', { mode: 'no-cors' }).catch(() => { document.title = 'refused'; })</script>`,
};

beforeAll(async () => {
  const serve = (address: string) =>
    serveWeb((request, response) => {
      const path = request.url ?? '';
      seen.push(`${address}${path}`);
      if (path === '/redirect') return response.writeHead(302, { location: end() }).end();
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end(pages[path]?.() ?? '<title>The end</title>Secret words');
    }, address);
  [first, second] = await Promise.all([serve('127.0.0.1'), serve('127.0.0.2')]);
  host = await startAgentHost({ properties: { webAllow: [first.allow, second.allow] } });
});
afterAll(async () => {
  await host.close();
  await Promise.all([first.close(), second.close()]);
});
beforeEach(() => {
  seen = [];
});

type Call = [tool: string, args: Record<string, unknown>];
const visit = (path: string): Call => ['navigate', { url: `${first.base}${path}` }];
const readsOn: Call[] = [
  ['wait', { milliseconds: 500 }],
  ['read', {}],
];

const ruled = (rules: { deny?: string; ask?: string }) =>
  host.client.call(api.settings.put, {
    body: { permissionRules: { deny: '', ask: '', allow: '', ...rules } },
  });

/** Calls of a model in full access, one after the other. */
async function calls(...made: Call[]) {
  host.model.requests.length = 0;
  host.model.script((_request, index) => {
    const [name, args] = made[index] ?? [];
    if (name === undefined) return { text: ['Done.'] };
    return { toolCalls: [{ name: `browser_${name}`, arguments: JSON.stringify(args) }] };
  });
  const messages = [{ role: 'user' as const, content: 'Look' }];
  const { streamId, events, ended } = await host.startTurn({
    messages,
    permissionMode: 'full-access',
  });
  return {
    streamId,
    events,
    ended,
    results: () =>
      only(events, 'tool')
        .filter(({ phase }) => phase === 'result')
        .map(({ success, output }) => ({ success, output: String(output) })),
  };
}

describe.each([
  ['denies', { deny: rule }, `The rule ${rule} denies`],
  ['asks about', { ask: rule }, `The rule ${rule} asks before`],
])('an address that a rule %s', (_does, rules, sentence) => {
  beforeEach(() => ruled(rules));

  it.each(['/redirect', '/refresh', '/script'])(
    'fails the call that is led there by %s, with a message that names the rule',
    async (path) => {
      const { ended, results } = await calls(visit(path), ...readsOn);
      await ended;
      const toolResults = results();
      expect(toolResults.some(({ success, output }) => !success && output.includes(sentence))).toBe(
        true,
      );
      expect(JSON.stringify(toolResults)).toContain(end());
      expect(JSON.stringify(toolResults)).not.toContain('Secret words');
      expect(seen).toContain(`127.0.0.1${path}`);
      expect(seen).not.toContain('127.0.0.2/end');
    },
  );

  it('fails a click that leads there', async () => {
    const { ended, results } = await calls(visit('/link'), ['click', { selector: '#go' }]);
    await ended;
    expect(results()).toMatchObject([{ success: true }, { success: false }]);
    expect(results()[1]?.output).toContain(sentence);
    expect(seen).not.toContain('127.0.0.2/end');
  });

  it('is not loaded by any part of a page, and the result says so', async () => {
    const { ended, results } = await calls(visit('/parts'), ...readsOn);
    await ended;
    expect(results()[0]).toMatchObject({ success: true });
    expect(JSON.stringify(results())).toContain(sentence);
    expect(seen).not.toContain('127.0.0.2/end');
  });
});

it('an address is reachable from everywhere in the browser once the user approved opening it', async () => {
  await ruled({ ask: rule });
  const { streamId, events, ended, results } = await calls(
    ['navigate', { url: end() }],
    visit('/redirect'),
    ['read', {}],
  );
  await expect.poll(() => only(events, 'approval_requested')).toHaveLength(1);
  const [{ callId } = { callId: '' }] = only(events, 'approval_requested');
  const body = { callId: String(callId), decision: 'allow_once' as const };
  await host.client.call(api.chat.approve, { params: { streamId }, body });
  await ended;
  expect(results()).toMatchObject([{ success: true }, { success: true }, { success: true }]);
  expect(results()[2]?.output).toContain('Secret words');
});
