import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type ChatHost, only, startChatHost } from '../../testing/chat-host.ts';
import {
  addUntil,
  callTool,
  catalogNames,
  showServer,
  textOf,
  untilState,
} from '../../testing/mcp/mcp-host.ts';
import { type ModernWebServer, serveModern } from '../../testing/mcp/modern-web-server.ts';
import { remoteServer } from '../../testing/mcp/real-servers.ts';

let host: ChatHost;
let server: ModernWebServer;
let id: string;
beforeAll(async () => {
  host = await startChatHost();
  server = await serveModern();
  const endpoint = { transport: 'STREAMABLE_HTTP', url: `${server.base}/mcp` } as const;
  ({ id } = await addUntil(host, remoteServer(endpoint, { name: 'web' })));
});
afterAll(async () => {
  await host.close();
  await server.close();
});

/** A turn in which the model calls one tool of the server, in full access. */
async function turnWith(tool: string) {
  const { id: conversationId } = await host.client.call(api.conversations.create, { body: {} });
  host.model.requests.length = 0;
  host.model.script((_, index) =>
    index === 0
      ? { toolCalls: [{ name: `mcp__web__${tool}`, arguments: '{}' }] }
      : { text: ['Done.'] },
  );
  return host.startTurn({
    conversationId,
    permissionMode: 'full-access',
    messages: [{ role: 'user', content: 'go' }],
  });
}

describe('a remote server that supports only MCP 2026-07-28', () => {
  it('connects without the legacy handshake, answers calls, and has prompts and resources', async () => {
    const params = { id };
    expect(await showServer(host, id)).toMatchObject({
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'modern' },
      tools: [{ name: 'echo' }, { name: 'greet' }, { name: 'hang' }, { name: 'slow' }],
    });
    expect(server.asked.slice(0, 2)).not.toContain('initialize');
    expect(textOf(await callTool(host, id, 'echo', { message: 'hi' }))).toBe('Echo: hi');
    expect(await host.client.call(api.mcp.prompts, { params })).toMatchObject([
      { name: 'welcome' },
    ]);
    expect(
      await host.client.call(api.mcp.getPrompt, {
        params,
        body: { name: 'welcome', arguments: {} },
      }),
    ).toMatchObject({ messages: [{ content: { text: 'Hello.' } }] });
    expect(await host.client.call(api.mcp.resources, { params })).toMatchObject([
      { uri: 'note://one' },
    ]);
    expect(
      await host.client.call(api.mcp.readResource, { params, body: { uri: 'note://one' } }),
    ).toMatchObject({ contents: [{ text: 'A note.' }] });
  });

  it('announces new tools, which are soon in the catalog', async () => {
    server.grow('grown');
    await expect.poll(() => catalogNames(host)).toContain('mcp__web__grown');
    expect(textOf(await callTool(host, id, 'grown'))).toBe('new');
  });

  it('announces them also after its stream of changes was cut', async () => {
    server.endStreams();
    const listens = () => server.asked.filter((one) => one === 'subscriptions/listen').length;
    await expect.poll(listens, { timeout: 10_000 }).toBe(2);
    server.grow('later');
    await expect.poll(() => catalogNames(host), { timeout: 10_000 }).toContain('mcp__web__later');
    expect((await showServer(host, id)).state).toBe('CONNECTED');
  });

  it('asks the user during a call, and gets the answer', async () => {
    const turn = await turnWith('greet');
    await expect.poll(() => only(turn.events, 'elicitation_requested').length).toBe(1);
    const question = only(turn.events, 'elicitation_requested')[0] ?? {};
    expect(question).toMatchObject({
      server: 'web',
      message: 'Who is there?',
      schema: { properties: { name: { type: 'string' } }, required: ['name'] },
    });
    await host.client.call(api.chat.elicit, {
      params: turn,
      body: { id: String(question['id']), action: 'accept', content: { name: 'Ada' } },
    });
    await turn.ended;
    const result = only(turn.events, 'tool').find(({ phase }) => phase === 'result');
    expect(result).toMatchObject({ success: true, output: 'Hello Ada.' });
  });

  it('reports the progress of a call', async () => {
    const turn = await turnWith('slow');
    await turn.ended;
    const toolEvents = only(turn.events, 'tool');
    expect(toolEvents.filter(({ phase }) => phase === 'progress')).toMatchObject([
      { text: '1 of 2: half\n' },
    ]);
    expect(toolEvents.find(({ phase }) => phase === 'result')).toMatchObject({ output: 'done' });
  });

  it('gets a refusal if nobody can be asked', async () => {
    expect(textOf(await callTool(host, id, 'greet'))).toBe('Hello nobody.');
  });

  it('is notified when a call is cancelled', async () => {
    const before = server.ended.length;
    const calls = (): number => server.asked.filter((one) => one === 'tools/call').length;
    const callsBefore = calls();
    const turn = await turnWith('hang');
    await expect.poll(calls).toBe(callsBefore + 1);
    await host.client.call(api.chat.cancel, { params: turn });
    await turn.ended;
    await expect.poll(() => server.ended.length).toBe(before + 1);
    expect(textOf(await callTool(host, id, 'echo', { message: 'on' }))).toBe('Echo: on');
  });

  it('is notified when a call takes too long', async () => {
    const before = server.ended.length;
    const { name: _, ...body } = {
      ...remoteServer({ transport: 'STREAMABLE_HTTP', url: `${server.base}/mcp` }, { name: 'web' }),
      callTimeoutSeconds: 0.5,
    };
    await host.client.call(api.mcp.replace, { params: { id }, body: { ...body, name: 'web' } });
    await untilState(host, id, 'CONNECTED');
    await expect(callTool(host, id, 'hang')).rejects.toMatchObject({
      problem: { code: 'mcp_timeout' },
    });
    await expect.poll(() => server.ended.length).toBe(before + 1);
  });
});
