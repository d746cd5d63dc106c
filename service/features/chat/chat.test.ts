import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  api,
  type ApprovalRequest,
  type ChatMessage,
  type ChatTurn,
} from '../../contract/index.ts';
import { type ChatEvent, only, startChatHost, textOf } from '../../testing/chat-host.ts';
import { packPlugin } from '../../testing/packages.ts';
import { installSample, upload } from '../../testing/sample-plugin.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());

beforeAll(async () => {
  await installSample(host, {
    manifest: {
      id: 'acme.tools',
      permissions: ['files.read'],
      aiTools: [
        { name: 'echo_text', description: 'Echoes.', method: 'echo', effect: 'read' },
        { name: 'send_text', description: 'Sends.', method: 'echo', effect: 'external' },
        { name: 'hang_on', description: 'Never ends.', method: 'hang', effect: 'read' },
        { name: 'fails', description: 'Fails.', method: 'fail', effect: 'read' },
      ],
    },
  });
});
afterEach(() => {
  host.model.script(() => ({ text: ['Hello.'] }));
  host.model.requests.length = 0;
});

const { chat, conversations } = api;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const call = (name: string, args: unknown = {}, id = 'c1') => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});
const show = (streamId: string): Promise<ChatTurn> =>
  host.client.call(chat.show, { params: { streamId } });
const approve = (
  streamId: string,
  body: { callId: string; decision: 'allow_once' | 'allow_session' | 'allow_always' | 'reject' },
  more: { comment?: string; rules?: string[] } = {},
): Promise<ChatTurn> =>
  host.client.call(chat.approve, { params: { streamId }, body: { ...body, ...more } });
const problem = (code: string, status: number): object => ({ problem: { code, status } });
const pendingApproval = async (turn: { events: ChatEvent[] }): Promise<ApprovalRequest> => {
  await expect.poll(() => only(turn.events, 'approval_requested').length).toBeGreaterThan(0);
  return only(turn.events, 'approval_requested').at(-1) as unknown as ApprovalRequest;
};
/** Calls tools once, then answers with a text. */
const once = (...toolCalls: ReturnType<typeof call>[]): void =>
  host.model.script((_, index) =>
    index === 0 ? { text: ['Let me see. '], toolCalls } : { text: ['Done.'] },
  );

describe('a turn', () => {
  it('streams the answer and reports its size [CHAT-01, CHAT-03, CHAT-04, CHAT-05, CHAT-11]', async () => {
    host.model.script(() => ({
      thinking: ['Hm', ', well.'],
      text: ['The ', 'answer', ' is 42.'],
      usage: { prompt_tokens: 7, completion_tokens: 9 },
    }));
    const events = await host.sendMessage('What is it?');
    expect(textOf(events)).toBe('The answer is 42.');
    expect(textOf(events, 'thinking')).toBe('Hm, well.');
    expect(only(events, 'done')).toEqual([
      {
        text: 'The answer is 42.',
        tokens: 9,
        tps: expect.any(Number) as unknown,
        usage: { inputTokens: 7, outputTokens: 9 },
      },
    ]);
    expect(events.at(-1)?.event).toBe('done');
  });

  it('keeps the events from before its reader connected', async () => {
    host.model.script(() => ({ text: Array.from({ length: 300 }, (_, index) => `${index} `) }));
    const { streamId } = await host.client.call(chat.start, {
      body: { messages: [user('count')] },
    });
    await expect.poll(async () => (await show(streamId)).state).toBe('done');
    const stream = host.client.stream(api.runStreams.chat, { query: { streamId } });
    const events: ChatEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(textOf(events)).toBe(Array.from({ length: 300 }, (_, index) => `${index} `).join(''));
    await expect(
      host.client.open(api.runStreams.chat, { query: { streamId } }),
    ).rejects.toMatchObject(problem('stream_used', 410));
  });

  it('ends with a readable error and the text so far [CHAT-12, STREAM-06]', async () => {
    host.model.script(() => ({ text: ['Half of '], breaksOff: true }));
    const events = await host.sendMessage('x');
    expect(textOf(events)).toBe('Half of ');
    expect(events.at(-1)).toMatchObject({ event: 'error' });
    expect(String(events.at(-1)?.data['message'])).toMatch(/^[A-Z].*\.$/);
    host.model.script(() => ({ text: ['fine'] }));
    expect(textOf(await host.sendMessage('again'))).toBe('fine');
  });

  it('needs a configured model', async () => {
    const body = { cloud_c: { model: '' } };
    await host.client.call(api.aiConfig.put, { body });
    await expect(host.sendMessage('x')).rejects.toMatchObject(problem('model_not_ready', 409));
    await host.client.call(api.aiConfig.put, { body: { cloud_c: { model: 'test-model' } } });
  });
});

describe('a tool of a plugin', () => {
  it('runs without approval if it only reads, and the model receives its result [CHAT-07, CHAT-08, CHAT-10, CHAT-13]', async () => {
    once(call('echo_text', { text: 'hi' }));
    const events = await host.sendMessage('go');
    expect(only(events, 'tool')).toEqual([
      { phase: 'call', id: 'c1', name: 'echo_text', arguments: '{"text":"hi"}' },
      { phase: 'result', id: 'c1', name: 'echo_text', success: true, output: '{"text":"hi"}' },
    ]);
    expect(textOf(events)).toBe('Let me see. Done.');
    const [, second] = host.model.requests;
    expect(second?.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'c1',
      content: '{"text":"hi"}',
    });
  });

  it('fails with a message that the model can use [CHAT-09]', async () => {
    once(call('fails', {}, 'a'), call('no_such_tool', {}, 'b'), call('echo_text', '{"broken', 'c'));
    const results = only(await host.sendMessage('go'), 'tool').filter(
      ({ phase }) => phase === 'result',
    );
    expect(results.map(({ success }) => success)).toEqual([false, false, false]);
    expect(String(results[1]?.['output'])).toMatch(/There is no tool no_such_tool/);
    expect(String(results[2]?.['output'])).toMatch(/not valid JSON/);
  });

  it('gets unique ids if the model repeats one', async () => {
    once(call('echo_text', { n: 1 }, 'same'), call('echo_text', { n: 2 }, 'same'));
    const results = only(await host.sendMessage('go'), 'tool').filter(
      ({ phase }) => phase === 'result',
    );
    expect(new Set(results.map(({ id }) => id)).size).toBe(2);
    expect(results.map(({ output }) => output).sort()).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('sends a large result completely to the user, and its head and tail to the model [CHAT-14, LIMIT-19]', async () => {
    const text = `HEAD${'x'.repeat(300_000)}TAIL`;
    once(call('echo_text', { text }));
    const result = only(await host.sendMessage('go'), 'tool').find(
      ({ phase }) => phase === 'result',
    );
    expect(result?.['output']).toBe(JSON.stringify({ text }));
    const seen = String(host.model.requests[1]?.messages.at(-1)?.content);
    expect(seen).toMatch(/^\{"text":"HEADx+\n\[… \d+ characters omitted …\]\nx+TAIL"\}$/);
    expect(Buffer.byteLength(seen)).toBeLessThan(66_000);
  });

  it('is called at most 64 times per message, and an endless loop comes to an end', async () => {
    const calls = Array.from({ length: 200 }, (_, index) =>
      call('echo_text', { index }, `c${index}`),
    );
    host.model.script((request) =>
      (request.tools ?? []).length > 0 ? { toolCalls: calls.slice(0, 2) } : { text: ['Enough.'] },
    );
    expect(textOf(await host.sendMessage('loop'))).toBe('Enough.');
    expect(host.model.requests.length).toBeLessThan(60);
    host.model.requests.length = 0;
    once(...calls);
    const results = only(await host.sendMessage('go'), 'tool').filter(
      ({ phase }) => phase === 'result',
    );
    expect(results).toHaveLength(200);
    expect(results.filter(({ success }) => success)).toHaveLength(64);
  });
});

describe('a call that needs approval', () => {
  it('waits for the user and runs once allowed [PERMISSION-01]', async () => {
    once(call('send_text', { text: 'mail' }));
    const turn = await host.startTurn('go');
    const request = await pendingApproval(turn);
    expect(request).toMatchObject({
      callId: 'c1',
      tool: 'send_text',
      arguments: '{"text":"mail"}',
      effect: 'external',
      options: expect.arrayContaining(['allow_once', 'reject']) as unknown,
    });
    expect(await show(turn.streamId)).toMatchObject({
      state: 'awaiting_approval',
      pendingApproval: request,
    });
    await approve(turn.streamId, { callId: 'c1', decision: 'allow_once' });
    await turn.ended;
    expect(only(turn.events, 'tool').at(-1)).toMatchObject({ phase: 'result', success: true });
    await expect(
      approve(turn.streamId, { callId: 'c1', decision: 'allow_once' }),
    ).rejects.toMatchObject(problem('nothing_waits', 409));
  });

  it('waits while another one waits, also if both could run in parallel', async () => {
    await host.client.call(api.settings.put, {
      body: { permissionRules: { ask: 'Tool(echo_*)' } },
    });
    try {
      once(call('echo_text', { text: 'one' }, 'c1'), call('echo_text', { text: 'two' }, 'c2'));
      const turn = await host.startTurn('go');
      expect(await pendingApproval(turn)).toMatchObject({ callId: 'c1' });
      await expect(
        approve(turn.streamId, { callId: 'c2', decision: 'allow_once' }),
      ).rejects.toMatchObject(problem('nothing_waits', 409));
      await approve(turn.streamId, { callId: 'c1', decision: 'allow_once' });
      await expect.poll(async () => (await pendingApproval(turn)).callId).toBe('c2');
      await approve(turn.streamId, { callId: 'c2', decision: 'reject' });
      await turn.ended;
      const results = only(turn.events, 'tool').filter(({ phase }) => phase === 'result');
      const outcomes = results.map(({ id, success }) => [id, success]).sort();
      expect(outcomes).toEqual([
        ['c1', true],
        ['c2', false],
      ]);
      expect(only(turn.events, 'approval_requested')).toHaveLength(2);
    } finally {
      await host.client.call(api.settings.put, { body: { permissionRules: { ask: '' } } });
    }
  });

  it('is reported to the model with the comment when it is rejected', async () => {
    once(call('send_text'));
    const turn = await host.startTurn('go');
    await pendingApproval(turn);
    const decision = { callId: 'c1', decision: 'reject' } as const;
    await approve(turn.streamId, decision, { comment: 'not to them' });
    await turn.ended;
    expect(String(host.model.requests[1]?.messages.at(-1)?.content)).toContain('not to them');
  });

  it('is allowed for the rest of its session, and asks again in another one', async () => {
    const { id } = await host.client.call(conversations.create, { body: {} });
    const startTurn = (conversationId?: string) =>
      host.startTurn({ messages: [user('go')], ...(conversationId ? { conversationId } : {}) });
    once(call('send_text'));
    const first = await startTurn(id);
    await pendingApproval(first);
    await approve(first.streamId, { callId: 'c1', decision: 'allow_session' });
    await first.ended;
    host.model.requests.length = 0;
    const second = await startTurn(id);
    await second.ended;
    expect(only(second.events, 'approval_requested')).toEqual([]);
    expect(only(second.events, 'tool').at(-1)).toMatchObject({ success: true });
    host.model.requests.length = 0;
    const other = await startTurn();
    await pendingApproval(other);
    await approve(other.streamId, { callId: 'c1', decision: 'reject' });
    await other.ended;
  });

  it('is allowed permanently by a stored rule, and never asks again', async () => {
    once(call('send_text'));
    const turn = await host.startTurn('go');
    const { suggestedRules } = await pendingApproval(turn);
    expect(suggestedRules).not.toEqual([]);
    await approve(turn.streamId, { callId: 'c1', decision: 'allow_always' });
    await turn.ended;
    const { permissionRules } = await host.client.call(api.settings.get);
    expect(permissionRules.allow.split('\n')).toEqual(suggestedRules);
    host.model.requests.length = 0;
    expect(only(await host.sendMessage('go'), 'approval_requested')).toEqual([]);
    const permissionRulesBefore = { allow: '' };
    await host.client.call(api.settings.put, { body: { permissionRules: permissionRulesBefore } });
  });

  it('is denied by a deny rule without approval, and the model receives the rule [PERMISSION-17]', async () => {
    const body = { permissionRules: { deny: 'Tool(send_*)' } };
    await host.client.call(api.settings.put, { body });
    once(call('send_text'));
    const events = await host.sendMessage('go');
    expect(only(events, 'approval_requested')).toEqual([]);
    expect(only(events, 'tool').at(-1)).toMatchObject({
      success: false,
      output: expect.stringContaining('Tool(send_*)') as unknown,
    });
    await host.client.call(api.settings.put, { body: { permissionRules: { deny: '' } } });
  });

  it('runs without approval in full access [PERMISSION-03, CHAT-02]', async () => {
    once(call('send_text'));
    const events = await host.sendMessage({
      messages: [user('go')],
      permissionMode: 'full-access',
    });
    expect(only(events, 'approval_requested')).toEqual([]);
    expect(only(events, 'tool').at(-1)).toMatchObject({ success: true });
  });
});

describe('ending', () => {
  it('a cancelled turn keeps its text and ends its request and its tool', async () => {
    once(call('hang_on'));
    const turn = await host.startTurn('go');
    await expect.poll(() => only(turn.events, 'tool').length).toBe(1);
    const params = { streamId: turn.streamId };
    expect(await host.client.call(chat.cancel, { params })).toMatchObject({
      state: 'cancelled',
      text: 'Let me see. ',
    });
    await turn.ended;
    expect(turn.events.at(-1)?.event).toBe('error');
    const { abortedRequests: closedRequests } = host.model;
    let finish = (): void => undefined;
    const until = new Promise<void>((resolve) => (finish = resolve));
    host.model.script(() => ({ text: ['on and on'], until }));
    const other = await host.startTurn('go');
    await expect.poll(() => textOf(other.events)).toBe('on and on');
    await host.client.call(chat.cancel, { params: { streamId: other.streamId } });
    await expect.poll(() => host.model.abortedRequests).toBe(closedRequests + 1);
    finish();
  });

  it('a turn without a conversation ends when its reader leaves', async () => {
    const { abortedRequests: closedRequests } = host.model;
    let finish = (): void => undefined;
    const until = new Promise<void>((resolve) => (finish = resolve));
    host.model.script(() => ({ text: ['on and on'], until }));
    const turn = await host.startTurn('go');
    await expect.poll(() => textOf(turn.events)).toBe('on and on');
    turn.leave();
    await expect.poll(async () => (await show(turn.streamId)).state).toBe('cancelled');
    await expect.poll(() => host.model.abortedRequests).toBe(closedRequests + 1);
    finish();
  });

  it('a turn in a conversation continues, and a returning reader receives all events and the pending request', async () => {
    const { id } = await host.client.call(conversations.create, { body: {} });
    once(call('send_text', { text: 'mail' }));
    const turn = await host.startTurn({ messages: [user('send it')], conversationId: id });
    const request = await pendingApproval(turn);
    turn.leave();
    const listed = await host.client.call(conversations.list, { query: {} });
    expect(listed.find((one) => one.id === id)).toMatchObject({ activeStreamId: turn.streamId });
    expect(await show(turn.streamId)).toMatchObject({
      state: 'awaiting_approval',
      text: 'Let me see. ',
      pendingApproval: request,
      tools: [{ id: 'c1', name: 'send_text' }],
      parts: [
        { type: 'text', text: 'Let me see. ' },
        { type: 'tool', id: 'c1', name: 'send_text' },
      ],
    });
    const again = host.sendMessage({ messages: [user('x')], conversationId: id });
    await expect(again).rejects.toMatchObject(problem('turn_running', 409));
    await approve(turn.streamId, { callId: 'c1', decision: 'allow_once' });
    await expect.poll(async () => (await show(turn.streamId)).state).toBe('done');
    const stored = async () =>
      (await host.client.call(conversations.show, { params: { id }, query: {} })).messages;
    await expect.poll(async () => (await stored()).at(-1)?.content).toBe('Let me see. Done.');
    expect(await stored()).toMatchObject([
      user('send it'),
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me see. ' },
          { type: 'tool', id: 'c1', name: 'send_text', success: true },
          { type: 'text', text: 'Done.' },
        ],
      },
    ]);
    const summary = (await host.client.call(conversations.list, { query: {} })).find(
      (one) => one.id === id,
    );
    expect(summary).toMatchObject({ title: 'send it', messageCount: 2 });
    expect(summary?.activeStreamId).toBeUndefined();
  });

  it('the answer is stored before readers see the end of the turn, also while a hook still runs', async () => {
    const { id } = await host.client.call(conversations.create, { body: {} });
    const hook = { name: 'slow', event: 'run_complete' as const, type: 'command' as const };
    const hooks = [{ ...hook, command: 'sleep 600', timeoutSeconds: 30 }];
    await host.client.call(api.settings.put, { body: { hooks } });
    for (const word of ['one', 'two'])
      await host.sendMessage({ messages: [user(word)], conversationId: id });
    const { messages } = await host.client.call(conversations.show, { params: { id }, query: {} });
    expect(messages.map(({ content }) => content)).toEqual(['one', 'Hello.', 'two', 'Hello.']);
    await host.client.call(api.settings.put, { body: { hooks: [] } });
  });

  it('removing a conversation ends its turn', async () => {
    const { id } = await host.client.call(conversations.create, { body: {} });
    const until = new Promise<void>(() => undefined);
    host.model.script(() => ({ text: ['on'], until }));
    const turn = await host.startTurn({ messages: [user('go')], conversationId: id });
    await expect.poll(() => textOf(turn.events)).toBe('on');
    await host.client.call(conversations.remove, { params: { id } });
    await turn.ended;
    expect(await show(turn.streamId)).toMatchObject({ state: 'cancelled' });
    await expect(
      host.sendMessage({ messages: [user('x')], conversationId: id }),
    ).rejects.toMatchObject(problem('unknown_conversation', 404));
  });
});

describe('skills and commands', () => {
  it('are offered to the model, loaded by name, and expanded from the typed text', async () => {
    const files = {
      'skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds numbers.\n---\nUse a pencil.\n',
      'skills/sum/table.md': '1 + 1 = 2\n',
      'commands/review.md': '---\ndescription: Reviews.\n---\nReview $ARGUMENTS with care.\n',
    };
    await upload(host, await packPlugin({ manifest: { id: 'acme.skilled' }, files }));
    once(
      call('skill_load', { name: 'sum' }, 'a'),
      call('skill_load', { name: 'sum', file: 'table.md' }, 'b'),
    );
    const events = await host.sendMessage('/review the code');
    const [first] = host.model.requests;
    expect(JSON.stringify(first?.messages)).toContain('- sum: Adds numbers.');
    expect(first?.messages.at(-1)?.content).toEqual(
      expect.stringContaining('Review the code with care.'),
    );
    const outputs = only(events, 'tool').flatMap(({ phase, id, output }) =>
      phase === 'result' ? [[id, JSON.parse(String(output))]] : [],
    );
    const names = ['SKILL.md', 'table.md'];
    const text = expect.stringContaining('Use a pencil.') as unknown;
    expect(Object.fromEntries(outputs)).toEqual({
      a: { text, files: names },
      b: { text: '1 + 1 = 2\n', files: names },
    });
  });

  it('use little of the context window with 500 skills, and unlisted ones can be searched', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        `skills/work-${index}/SKILL.md`,
        `---\nname: work-${index}\ndescription: Does the work number ${index}. ${'Word '.repeat(60)}\n---\nDo ${index}.\n`,
      ]),
    );
    await upload(host, await packPlugin({ manifest: { id: 'acme.many' }, files }));
    once(
      call('skill_search', { query: 'number 499' }, 'a'),
      call('skill_load', { name: 'work-499' }, 'b'),
    );
    const events = await host.sendMessage('go');
    const [first] = host.model.requests;
    const system = String(first?.messages[0]?.content);
    // 4 % of a window of 32,768 tokens, plus the rest of the system prompt.
    expect(Buffer.byteLength(system)).toBeLessThan(0.04 * 32_768 * 4 + 2_000);
    expect(system).toMatch(/- and \d+ more: find them with skill_search/);
    const outputs = only(events, 'tool').flatMap(({ phase, output }) =>
      phase === 'result' ? [String(output)] : [],
    );
    const { skills } = JSON.parse(outputs[0] ?? '') as { skills: { name: string }[] };
    expect(skills[0]?.name).toBe('work-499');
    expect(outputs[1]).toContain('Do 499.');
    await host.client.call(api.market.uninstall, {
      params: { id: 'acme.many' },
      query: { deleteData: 'true' },
    });
  });
});

describe('a long conversation', () => {
  it('is sent to the model as notes and its last eight rounds, and stays complete in the store', async () => {
    await host.client.call(api.aiConfig.put, { body: { contextWindowTokens: 8_192 } });
    const history = Array.from({ length: 30 }, (_, index): ChatMessage[] => [
      user(`question ${index} ${'x'.repeat(700)}`),
      { role: 'assistant', content: `answer ${index} ${'y'.repeat(700)}` },
    ]).flat();
    const body = { messages: history };
    const { id } = await host.client.call(conversations.create, { body });
    const messages = [...history, user('and now?')];
    expect((await host.sendMessage({ messages, conversationId: id })).at(-1)?.event).toBe('done');
    const seen = host.model.requests[0]?.messages.map(({ content }) => JSON.stringify(content));
    expect(seen?.[1]).toContain('Earlier in this conversation, shortened:');
    expect(seen?.slice(2).filter((content) => content.includes('question'))).toHaveLength(7);
    expect(seen?.at(-1)).toContain('and now?');
    const stored = await host.client.call(conversations.show, { params: { id }, query: {} });
    expect(stored.messages.slice(0, 60)).toMatchObject(history);
    expect(stored.messageCount).toBe(62);
    await host.client.call(api.aiConfig.put, { body: { contextWindowTokens: 32_768 } });
  });
});
