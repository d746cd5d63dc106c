import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { api, type ChatRequest } from '../../contract/index.ts';
import { type ChatHost, only, startChatHost, textOf } from '../../testing/chat-host.ts';
import { hostileServer } from '../../testing/mcp/hostile-servers.ts';
import { addUntil, removeServer, showServer } from '../../testing/mcp/mcp-host.ts';
import { realServer } from '../../testing/mcp/real-servers.ts';
import { useFolder, useForFile } from '../../testing/use-for-file.ts';

let callLogPath: string;
const folder = await useFolder('mcp-chat-');
const host = await useForFile(startChatHost());

beforeAll(async () => {
  callLogPath = join(folder, 'told');
  await addUntil(host, realServer('everything', [], { name: 'every' }));
  await addUntil(host, hostileServer('good', { name: 'good' }, [callLogPath]));
});

const asking = (permissionMode: ChatRequest['permissionMode'] = 'full-access'): ChatRequest => ({
  messages: [{ role: 'user', content: 'go' }],
  permissionMode,
});
/** The model makes this call once, then answers with a text. */
function calls(name: string, args: object = {}): void {
  host.model.requests.length = 0;
  host.model.script((_, index) =>
    index === 0
      ? { toolCalls: [{ id: 'c1', name, arguments: JSON.stringify(args) }] }
      : { text: ['Done.'] },
  );
}
const resultOf = (events: Awaited<ReturnType<ChatHost['sendMessage']>>) =>
  only(events, 'tool').find(({ phase }) => phase === 'result');

describe('a tool of a server in a turn of the chat', () => {
  it('is offered to the model, runs, and its result is sent to the model [MCP-04, TOOL-21]', async () => {
    calls('mcp__every__get-sum', { a: 2, b: 40 });
    const events = await host.sendMessage(asking());
    const output = 'The sum of 2 and 40 is 42.';
    expect(resultOf(events)).toMatchObject({ name: 'mcp__every__get-sum', success: true, output });
    expect(textOf(events)).toBe('Done.');
    const [first, second] = host.model.requests;
    const offered = first?.tools?.map((tool) => tool.function.name);
    expect(offered).toEqual(
      expect.arrayContaining(['mcp__every__echo', 'mcp__good__echo']) as unknown,
    );
    expect(second?.messages.at(-1)).toMatchObject({ role: 'tool', content: output });
  });

  it('needs approval if it may change anything, and none if its server declares it read-only', async () => {
    calls('mcp__every__echo', { message: 'hi' });
    const quick = await host.sendMessage(asking('ask-for-approval'));
    expect(only(quick, 'approval_requested')).toEqual([]);
    expect(resultOf(quick)).toMatchObject({ success: true, output: 'Echo: hi' });

    calls('mcp__good__echo', { message: 'hi' });
    const turn = await host.startTurn(asking('ask-for-approval'));
    await expect.poll(() => only(turn.events, 'approval_requested').length).toBe(1);
    expect(only(turn.events, 'approval_requested')[0]).toMatchObject({ effect: 'external' });
    await host.client.call(api.chat.approve, {
      params: { streamId: turn.streamId },
      body: { callId: 'c1', decision: 'allow_once' },
    });
    await turn.ended;
    expect(resultOf(turn.events)).toMatchObject({ success: true, output: 'Echo: hi' });
  });

  it('of an untrusted server needs approval whatever its annotations say [MCP-16]', async () => {
    const definition = realServer('everything', [], { name: 'stranger', trustAnnotations: false });
    const { id, tools } = await addUntil(host, definition);
    expect(new Set(tools.map(({ effect }) => effect))).toEqual(new Set(['external']));
    calls('mcp__stranger__echo', { message: 'hi' });
    const turn = await host.startTurn(asking('ask-for-approval'));
    await expect.poll(() => only(turn.events, 'approval_requested').length).toBe(1);
    await host.client.call(api.chat.approve, {
      params: { streamId: turn.streamId },
      body: { callId: 'c1', decision: 'reject' },
    });
    await turn.ended;
    expect(resultOf(turn.events)).toMatchObject({ success: false });
    await removeServer(host, id);
  });

  it('reports its progress while it runs', async () => {
    calls('mcp__good__steps');
    const steps = only(await host.sendMessage(asking()), 'tool').filter(
      ({ phase }) => phase === 'progress',
    );
    expect(steps.map(({ text }) => text).join('')).toBe(
      '1 of 3: step 1\n2 of 3: step 2\n3 of 3: step 3\n',
    );
    calls('mcp__every__trigger-long-running-operation', { duration: 0.3, steps: 3 });
    const events = await host.sendMessage(asking());
    expect(only(events, 'tool').filter(({ phase }) => phase === 'progress').length).toBeGreaterThan(
      0,
    );
    expect(resultOf(events)).toMatchObject({ success: true });
  });

  it('that fails, or returns an error, is a failed call for the model', async () => {
    for (const [tool, output] of [
      ['badly', 'It went wrong.'],
      ['error', 'The MCP server good answered with an error: I will not.'],
      ['refuse', 'No such row.\nQuery failed: {'],
      ['crash', 'The connection to the MCP server good was lost: it ended with exit code 7.'],
    ] as const) {
      calls(`mcp__good__${tool}`);
      const events = await host.sendMessage(asking());
      expect(resultOf(events)).toMatchObject({ success: false });
      expect(String(resultOf(events)?.['output'])).toContain(output);
      const content = host.model.requests[1]?.messages.at(-1)?.content;
      expect(String(content)).toContain(output);
      expect(textOf(events)).toBe('Done.');
    }
  });

  it('is cancelled with its turn, and the server is notified [MCP-11]', async () => {
    calls('mcp__good__hang');
    const turn = await host.startTurn(asking());
    const readCallLog = () => readFile(callLogPath, 'utf8').catch(() => '');
    await expect.poll(readCallLog).toBe('hangs\n');
    await host.client.call(api.chat.cancel, { params: { streamId: turn.streamId } });
    await turn.ended;
    await expect.poll(readCallLog).toMatch(/^cancelled .*"requestId":\d+/m);
  });

  it('that returns an image sends it to the model as an image', async () => {
    calls('mcp__every__get-tiny-image');
    const events = await host.sendMessage(asking());
    expect(String(resultOf(events)?.['output'])).toContain('[image, image/png]');
    expect(JSON.stringify(host.model.requests[1]?.messages)).toContain('image/png');
  });

  it('of a disconnected server waits a moment for it', async () => {
    const servers = await host.client.call(api.mcp.list);
    const { id } = servers.find(({ name }) => name === 'good')!;
    await expect.poll(async () => (await showServer(host, id)).state).toBe('CONNECTED');
    calls('mcp__good__pid');
    const first = resultOf(await host.sendMessage(asking()))?.['output'];
    process.kill(Number(first), 'SIGKILL');
    await expect.poll(async () => (await showServer(host, id)).state).not.toBe('CONNECTED');
    calls('mcp__good__pid');
    const second = resultOf(await host.sendMessage(asking()));
    expect(second).toMatchObject({ success: true });
    expect(second?.['output']).not.toBe(first);
  });
});
