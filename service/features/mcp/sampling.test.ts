import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, type Elicitation, type McpDefinition } from '../../contract/index.ts';
import { only, startChatHost } from '../../testing/chat-host.ts';
import {
  addUntil,
  callTool,
  removeServer,
  showServer,
  textOf,
} from '../../testing/mcp/mcp-host.ts';
import { nodeServer, realServer, remoteServer } from '../../testing/mcp/real-servers.ts';
import { useEverything } from '../../testing/mcp/use-everything.ts';
import type { Answer, SeenRequest } from '../../testing/model-server.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const script = join(import.meta.dirname, '..', '..', 'testing', 'mcp', 'sampling-server.mjs');
const tool = 'trigger-sampling-request';

let everything = '';
const host = await useForFile(startChatHost());

beforeAll(async () => {
  ({ id: everything } = await addUntil(host, realServer('everything', [], { name: 'everything' })));
});

const switchTo = (mcpSamplingEnabled: boolean) =>
  host.client.call(api.settings.put, { body: { mcpSamplingEnabled } });
const toolsOf = async (id: string): Promise<string[]> =>
  (await showServer(host, id)).tools.map(({ name }) => name);
const switchOn = async (): Promise<void> => {
  await switchTo(true);
  await expect.poll(() => toolsOf(everything)).toContain(tool);
};
const logsOf = async (id: string): Promise<string> =>
  (await host.client.call(api.mcp.logs, { params: { id } })).map(({ message }) => message).join();

/** Requests to the model by servers, which have no tools. */
const sampled = (): SeenRequest[] => host.model.requests.filter(({ tools }) => !tools);

/** A turn in which the model calls the tool; requests of the server are answered with `answer`. */
async function turnWith(name: string, args: object, answer: Answer = { text: ['Sampled.'] }) {
  host.model.requests.length = 0;
  let isCalled = false;
  host.model.script(({ tools }) => {
    if (!tools) return answer;
    if (isCalled) return { text: ['Done.'] };
    isCalled = true;
    return { toolCalls: [{ name, arguments: JSON.stringify(args) }] };
  });
  const turn = await host.startTurn({
    messages: [{ role: 'user', content: 'go' }],
    permissionMode: 'full-access',
  });
  const questions = () => only(turn.events, 'elicitation_requested');
  return {
    ...turn,
    questions,
    async asked(count = 1): Promise<string> {
      await expect.poll(() => questions().length).toBe(count);
      return String(questions()[count - 1]?.['message']);
    },
    answer: (action: Elicitation['action']) =>
      host.client.call(api.chat.elicit, {
        params: turn,
        body: { id: String(questions().at(-1)?.['id']), action },
      }),
    async output(): Promise<string> {
      await turn.ended;
      const result = only(turn.events, 'tool').find(({ phase }) => phase === 'result');
      return String(result?.['output']);
    },
  };
}

const everyTool = `mcp__everything__${tool}`;

describe('while sampling is off', () => {
  it('it is not offered, and a server that requests it nevertheless gets an error', async () => {
    expect(await toolsOf(everything)).not.toContain(tool);
    const { id, serverInfo } = await addUntil(
      host,
      nodeServer(script, ['legacy'], { name: 'off' }),
    );
    expect(serverInfo?.version).toBe('{"elicitation":{"form":{"applyDefaults":true}}}');
    const requests = [{ messages: [], maxTokens: 5 }];
    expect(textOf(await callTool(host, id, 'ask', { requests }))).toContain('Method not found');
    await removeServer(host, id);
  });
});

describe('a server that requests sampling', () => {
  beforeEach(switchOn);

  it('gets an answer after the user has seen and approved the request', async () => {
    const turn = await turnWith(everyTool, { prompt: 'Who are you?', maxTokens: 50 });
    const question = await turn.asked();
    expect(question).toMatch(/^It asks the model test-model for an answer of up to 50 tokens\./);
    expect(question).toContain('system:\nYou are a helpful test server.');
    expect(question).toContain(`user:\nResource ${tool} context: Who are you?`);
    expect(turn.questions()[0]).toMatchObject({ server: 'everything', schema: { properties: {} } });
    expect(sampled()).toEqual([]);
    await turn.answer('accept');
    const output = await turn.output();
    expect(output).toContain('"text": "Sampled."');
    expect(output).toContain('"model": "test-model"');
    expect(output).toContain('"stopReason": "endTurn"');
    expect(sampled()).toMatchObject([
      {
        max_tokens: 50,
        messages: [
          { role: 'system', content: 'You are a helpful test server.' },
          { role: 'user', content: `Resource ${tool} context: Who are you?` },
        ],
      },
    ]);
  });

  it('is refused if the user declines, and the model is not asked', async () => {
    const turn = await turnWith(everyTool, { prompt: 'Who are you?' });
    await turn.asked();
    await turn.answer('decline');
    expect(await turn.output()).toMatch(/declined this request/);
    expect(sampled()).toEqual([]);
  });

  it('is refused if nobody can be asked', async () => {
    host.model.requests.length = 0;
    const called = await callTool(host, everything, tool, { prompt: 'x' });
    expect(textOf(called)).toMatch(/possible only for calls from the chat/);
    expect(host.model.requests).toEqual([]);
  });

  it('learns that the model failed, and the user learns why', async () => {
    const failing: Answer = { text: ['Half'], breaksOff: true };
    const turn = await turnWith(everyTool, { prompt: 'x' }, failing);
    await turn.asked();
    await turn.answer('accept');
    const output = await turn.output();
    expect(output).toMatch(/The model of this host did not answer \(model_broke_off\)/);
    expect(output).not.toContain('127.0.0.1');
    expect(await logsOf(everything)).toMatch(/The model did not answer it: .*127\.0\.0\.1/);
  });

  it('causes no more requests to the model once the turn is cancelled', async () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const turn = await turnWith(everyTool, { prompt: 'x' }, { text: ['Half'], until });
    const { abortedRequests: requestCloses } = host.model;
    await turn.asked();
    await turn.answer('accept');
    await expect.poll(() => sampled().length).toBe(1);
    await host.client.call(api.chat.cancel, { params: { streamId: turn.streamId } });
    await expect.poll(() => host.model.abortedRequests).toBe(requestCloses + 1);
    release();
    await turn.ended;
    expect(textOf(await callTool(host, everything, 'echo', { message: 'x' }))).toBe('Echo: x');
  });

  it('does not time out while it waits for the user', async () => {
    const remote = await useEverything('STREAMABLE_HTTP');
    const settings = { name: 'hasty', callTimeoutSeconds: 0.5 };
    const { id } = await addUntil(host, remoteServer(remote, settings));
    const turn = await turnWith(`mcp__hasty__${tool}`, { prompt: 'x' });
    await turn.asked();
    const since = performance.now();
    await expect.poll(() => performance.now() - since).toBeGreaterThan(800);
    await turn.answer('accept');
    expect(await turn.output()).toContain('Sampled.');
    await removeServer(host, id);
  });
});

describe.each(['legacy', 'modern'])('a server of the %s era', (era) => {
  let id: string;
  let name: string;
  const definition = (): McpDefinition => nodeServer(script, [era], { name });
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }], maxTokens: 100 });
  const userMessage = (text: string) => user({ type: 'text', text });
  const ask = (requests: object[], answer?: Answer) =>
    turnWith(`mcp__${name}__ask`, { requests }, answer);

  beforeAll(async () => {
    await switchTo(true);
    name = `own-${era}`;
    ({ id } = await addUntil(host, definition()));
  });
  afterAll(() => removeServer(host, id));

  it('gets an answer, with images and stop sequences', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const request = {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What\u202e is it?' }, image] },
        { role: 'assistant', content: { type: 'text', text: 'A picture.' } },
        { role: 'user', content: { type: 'text', text: 'Of what?' } },
      ],
      maxTokens: 1_000_000,
      stopSequences: ['STOP', 'END'],
      temperature: 0.2,
      includeContext: 'none',
    };
    const turn = await ask([request], { text: ['Of a cat. E', 'ND and STOP.'] });
    const question = await turn.asked();
    expect(question).toContain('up to 8192 tokens');
    expect(question).toContain('user:\nWhat\ufffd is it?\n[image, image/png, 1 KiB]');
    expect(question).toContain('assistant:\nA picture.');
    await turn.answer('accept');
    const [{ result }] = JSON.parse(await turn.output()) as [{ result: object }];
    expect(result).toMatchObject({
      role: 'assistant',
      model: 'test-model',
      stopReason: 'stopSequence',
      content: { type: 'text', text: 'Of a cat. ' },
    });
    const [request0] = sampled();
    expect(request0).toMatchObject({ max_tokens: 8_192 });
    expect(JSON.stringify(request0)).toContain('What\ufffd is it?');
    expect(JSON.stringify(request0)).toContain('data:image/png;base64,AAAA');
  });

  it('that requests several answers at once gets them one after the other', async () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const turn = await ask([userMessage('One?'), userMessage('Two?'), userMessage('Three?')], {
      until,
    });
    await turn.asked();
    await turn.answer('accept');
    await expect.poll(() => sampled().length).toBe(1);
    const { pendingElicitation } = await host.client.call(api.chat.show, { params: turn });
    expect(pendingElicitation).toBeUndefined();
    release();
    for (const count of [2, 3]) {
      await turn.asked(count);
      await turn.answer('accept');
    }
    expect(JSON.parse(await turn.output())).toHaveLength(3);
  });

  it.each([
    ['too much text', userMessage('x'.repeat(100_001)), /more than 100000 characters/],
    ['a sound', user({ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }), /not audio/],
    [
      'an image of no known kind',
      user({ type: 'image', mimeType: 'image/tiff', data: 'AAAA' }),
      /images are PNG/,
    ],
    ['nothing', { messages: [], maxTokens: 5 }, /1 to 100 messages/],
    [
      'tools',
      { ...userMessage('x'), tools: [{ name: 't', inputSchema: { type: 'object' } }] },
      /cannot use tools/,
    ],
  ])('that sends %s is refused without asking the user', async (_, request, expected) => {
    const turn = await ask([request]);
    expect(await turn.output()).toMatch(expected);
    expect(turn.questions()).toEqual([]);
    expect(sampled()).toEqual([]);
  });

  it('is refused too many requests at once', async () => {
    const turn = await ask(Array.from({ length: 12 }, () => userMessage('x')));
    if (era === 'legacy')
      for (let count = 1; count <= 9; count += 1) {
        await turn.asked(count);
        await turn.answer('decline');
      }
    const refused = (await turn.output()).match(/Too many of these requests are already waiting/g);
    expect(refused).toHaveLength(era === 'legacy' ? 3 : 1);
  });
});

describe('a question that is no longer needed', () => {
  it('is withdrawn with its call', async () => {
    await switchOn();
    const { id } = await addUntil(host, nodeServer(script, ['legacy'], { name: 'hasty' }));
    const content = { type: 'text', text: 'x' };
    const requests = [{ messages: [{ role: 'user', content }], maxTokens: 5 }];
    const turn = await turnWith('mcp__hasty__forget', { requests });
    await turn.asked();
    await callTool(host, id, 'release');
    expect(await turn.output()).toBe('not waited for');
    expect(only(turn.events, 'elicitation_decided')).toMatchObject([{ action: 'cancel' }]);
    expect(sampled()).toEqual([]);
    await removeServer(host, id);
  });
});

describe('switching sampling', () => {
  it('takes effect at once if nothing runs, and interrupts no call', async () => {
    await switchOn();
    const { id } = await addUntil(host, realServer('memory', [], { name: 'idle' }));
    const before = (await showServer(host, id)).lastConnectedAt;
    const long = callTool(host, everything, 'trigger-long-running-operation', {
      duration: 2,
      steps: 2,
    });
    await callTool(host, everything, 'echo', { message: 'The other one is under way.' });
    const connectedAt = (await showServer(host, everything)).lastConnectedAt;
    await switchTo(false);
    await expect.poll(async () => (await showServer(host, id)).lastConnectedAt).not.toBe(before);
    expect((await showServer(host, everything)).lastConnectedAt).toBe(connectedAt);
    const refused = await callTool(host, everything, tool, { prompt: 'x' });
    expect(textOf(refused)).toMatch(/does not support sampling: it is turned off/);
    expect(textOf(await long)).toMatch(/completed/);
    await expect.poll(() => toolsOf(everything)).not.toContain(tool);
    await removeServer(host, id);
  });
});
