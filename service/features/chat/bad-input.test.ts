import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import {
  type ChatEvent,
  type ChatHost,
  only,
  startChatHost,
  textOf,
} from '../../testing/chat-host.ts';
import {
  chunk,
  dialects,
  done,
  startRawModel,
  type RawModel,
} from '../../testing/models/raw-model.ts';
import { installSample } from '../../testing/sample-plugin.ts';

let host: ChatHost;
let raw: RawModel;
beforeAll(async () => {
  host = await startChatHost();
  raw = await startRawModel();
  const aiTools = [{ name: 'echo_text', description: 'Echoes.', method: 'echo', effect: 'read' }];
  await installSample(host, { manifest: { id: 'acme.tools', aiTools } });
});
afterAll(async () => {
  await host.close();
  await raw.close();
});
beforeEach(() => {
  host.model.script(() => ({ text: ['Hello.'] }));
  host.model.requests.length = 0;
});

interface Call {
  id?: string;
  name: string;
  arguments: string;
}

const resultsOf = (events: readonly ChatEvent[]): ChatEvent['data'][] =>
  only(events, 'tool').filter(({ phase }) => phase === 'result');

/** The model makes these calls once; its next request shows the results it received. */
async function call(
  ...toolCalls: Call[]
): Promise<{ results: ChatEvent['data'][]; modelOutputs: string[] }> {
  host.model.requests.length = 0;
  host.model.script((_, index) => (index === 0 ? { toolCalls } : { text: ['Understood.'] }));
  const events = await host.sendMessage('go');
  expect(events.at(-1)?.event).toBe('done');
  const seen = host.model.requests[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
  return { results: resultsOf(events), modelOutputs: seen.map(({ content }) => String(content)) };
}

/** Expects that the host still completes a turn, in the conversation if one is given. */
async function expectNextTurn(conversationId?: string): Promise<void> {
  host.model.script(() => ({ text: ['Fine.'] }));
  const messages = [{ role: 'user' as const, content: 'and now?' }];
  const events = await host.sendMessage({
    messages,
    ...(conversationId ? { conversationId } : {}),
  });
  expect(textOf(events)).toBe('Fine.');
  expect(events.at(-1)?.event).toBe('done');
}

describe('a call of the model', () => {
  it('of an unknown tool reports the error to the model and to the user', async () => {
    const { results, modelOutputs } = await call({ name: 'no_such_tool', arguments: '{}' });
    expect(results).toMatchObject([{ success: false }]);
    expect(modelOutputs).toEqual([String(results[0]?.['output'])]);
    expect(modelOutputs[0]).toBe('There is no tool no_such_tool. Use one that is listed.');
    await expectNextTurn();
  });

  it.each(['{"text": "half', '[1]', '"text"', 'null', '7', 'undefined', '{} {}', '\u0000'])(
    'with the arguments %j is answered with an explanation of how to write them',
    async (args) => {
      const { results, modelOutputs } = await call({ name: 'echo_text', arguments: args });
      expect(results).toMatchObject([{ success: false }]);
      expect(modelOutputs).toEqual([String(results[0]?.['output'])]);
      expect(modelOutputs[0]).toMatch(/JSON/);
      // Servers parse the messages they get back, so the arguments must be an object.
      expect(JSON.stringify(host.model.requests[1])).not.toContain('\\"text\\": \\"half');
      await expectNextTurn();
    },
  );

  it('without arguments has an empty object', async () => {
    const { results } = await call({ name: 'echo_text', arguments: '' });
    expect(results).toMatchObject([{ success: true, output: '{}' }]);
  });

  it('with an id used before gets a new one, within one message and across two', async () => {
    const twice = [1, 2].map((n) => ({ id: 'same', name: 'echo_text', arguments: `{"n":${n}}` }));
    host.model.script((_, index) => (index < 2 ? { toolCalls: twice } : { text: ['Understood.'] }));
    const events = await host.sendMessage('go');
    const results = resultsOf(events);
    expect(new Set(results.map(({ id }) => id)).size).toBe(4);
    const last = host.model.requests.at(-1)?.messages ?? [];
    const asked = last.flatMap(({ tool_calls: calls }) => (calls as { id: string }[]) ?? []);
    const answered = last.flatMap(({ tool_call_id: id }) => id ?? []);
    expect(answered).toEqual(asked.map(({ id }) => id));
    expect(new Set(answered).size).toBe(4);
    await expectNextTurn();
  });

  it('beyond 64 in one message is refused, and the model may repeat it in the next one', async () => {
    const { results, modelOutputs } = await call(
      ...Array.from({ length: 200 }, (_, n) => ({
        id: `c${n}`,
        name: 'echo_text',
        arguments: `{"n":${n}}`,
      })),
    );
    expect(results).toHaveLength(200);
    expect(modelOutputs).toHaveLength(200);
    expect(results.filter(({ success }) => success)).toHaveLength(64);
    expect(modelOutputs.at(-1)).toBe(
      'One message can hold 64 tool calls. Send the others in the next one.',
    );
    await expectNextTurn();
  });

  it('repeated endlessly ends with an answer', async () => {
    host.model.script(({ tools = [] }) =>
      tools.length > 0
        ? { toolCalls: [{ name: 'echo_text', arguments: '{}' }] }
        : { text: ['Enough.'] },
    );
    const events = await host.sendMessage('loop');
    expect(textOf(events)).toBe('Enough.');
    expect(resultsOf(events)).toHaveLength(50);
    expect(only(events, 'warning')).toEqual([
      {
        message: expect.stringMatching(/^The model used tools in 50 rounds/) as unknown,
        text: { code: 'chat.roundLimit', parameters: { limit: 50 } },
      },
    ]);
    await expectNextTurn();
  });

  it('with 5 MB of arguments is refused and does not fill the context window', async () => {
    const { id } = await host.client.call(api.conversations.create, { body: {} });
    const args = JSON.stringify({ text: 'x'.repeat(5 * 1024 ** 2) });
    host.model.script((_, index) =>
      index === 0
        ? { toolCalls: [{ name: 'echo_text', arguments: args }] }
        : { text: ['Understood.'] },
    );
    const messages = [{ role: 'user' as const, content: 'go' }];
    const events = await host.sendMessage({ messages, conversationId: id });
    expect(resultsOf(events)).toMatchObject([
      { success: false, output: 'The arguments are larger than 4 MiB. Send less at a time.' },
    ]);
    const sizes = host.model.requests.map((request) => JSON.stringify(request).length);
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) + 100_000);
    const stored = await host.client.call(api.conversations.show, { params: { id }, query: {} });
    host.model.script(() => ({ text: ['Fine.'] }));
    const again = [...stored.messages, { role: 'user' as const, content: 'and now?' }];
    expect(textOf(await host.sendMessage({ messages: again, conversationId: id }))).toBe('Fine.');
    expect(JSON.stringify(host.model.requests.at(-1)).length).toBeLessThan(200_000);
  });

  it('with 1 MB of arguments runs with all of them', async () => {
    const text = 'x'.repeat(1024 ** 2);
    const { results } = await call({ name: 'echo_text', arguments: JSON.stringify({ text }) });
    expect(results).toMatchObject([{ success: true, output: JSON.stringify({ text }) }]);
    const calls = host.model.requests[1]?.messages.find(({ tool_calls: made }) => made)?.tool_calls;
    const [made] = calls as { function: { arguments: string } }[];
    expect(made?.function.arguments.length).toBeLessThan(70_000);
    expect(JSON.parse(made?.function.arguments ?? '')).toEqual({
      shortened: expect.stringContaining('characters omitted') as unknown,
    });
  });
});

describe('an answer of the model server', () => {
  const { prologue: start, text } = dialects.cloud_c;
  const stream = { 'Content-Type': 'text/event-stream' };
  const use = (baseUrl: string): Promise<unknown> =>
    host.client.call(api.aiConfig.put, { body: { cloud_c: { baseUrl } } });
  /**
   * Sends a message in a conversation and checks that its next turn works with a healthy server.
   */
  async function sendToRaw(): Promise<{ events: ChatEvent[]; id: string }> {
    const { id } = await host.client.call(api.conversations.create, { body: {} });
    await use(`${raw.base}/v1`);
    try {
      const messages = [{ role: 'user' as const, content: 'go' }];
      return { events: await host.sendMessage({ messages, conversationId: id }), id };
    } finally {
      await use(host.model.baseUrl);
    }
  }
  const message = (events: readonly ChatEvent[]): string =>
    String(only(events, 'error').at(-1)?.['message']);

  it('that is an HTML page ends the turn with a hint on what to check', async () => {
    raw.script((res) =>
      res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><h1>Log in</h1>'),
    );
    const { events, id } = await sendToRaw();
    expect(events).toHaveLength(1);
    expect(message(events)).toMatch(/is not an answer of a model. Check the address/);
    await expectNextTurn(id);
  });

  it('with half a character shows a replacement character', async () => {
    const [before = '', after = ''] = (start + text('a|b')).split('|');
    raw.script((res) => {
      res.writeHead(200, stream).write(before);
      res.write(Buffer.from([0xe2, 0x82]));
      res.end(`${after}${chunk({}, 'stop')}${done}`);
    });
    const { events, id } = await sendToRaw();
    expect(textOf(events)).toBe('a\uFFFDb');
    expect(events.at(-1)?.event).toBe('done');
    await expectNextTurn(id);
  });

  it('that ends too early keeps the text so far, in the stream and in the conversation', async () => {
    raw.script((res) => res.writeHead(200, stream).end(start + text('so far')));
    const { events, id } = await sendToRaw();
    expect(textOf(events)).toBe('so far');
    expect(message(events)).toMatch(/ended unexpectedly. The part received so far is kept/);
    const { messages } = await host.client.call(api.conversations.show, {
      params: { id },
      query: {},
    });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'so far' });
    await expectNextTurn(id);
  });

  it('that breaks off within a tool call runs no part of it', async () => {
    const half = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'execute_command', arguments: '{"command":"touch a"' },
    };
    raw.script((res) => res.writeHead(200, stream).end(start + chunk({ tool_calls: [half] })));
    const { events, id } = await sendToRaw();
    expect(only(events, 'tool')).toEqual([]);
    expect(message(events)).toMatch(/ended unexpectedly/);
    await expectNextTurn(id);
  });

  it('that stalls is cancelled at its socket, and the text so far is kept', async () => {
    raw.script((res) => res.writeHead(200, stream).write(start + text('so far')));
    await use(`${raw.base}/v1`);
    const turn = await host.startTurn('go').finally(() => use(host.model.baseUrl));
    await expect.poll(() => textOf(turn.events)).toBe('so far');
    const params = { streamId: turn.streamId };
    const cancelledTurn = await host.client.call(api.chat.cancel, { params });
    expect(cancelledTurn).toMatchObject({ state: 'cancelled', text: 'so far' });
    await expect.poll(() => raw.abortedAnswers).toBe(1);
    await expectNextTurn();
  });

  it('that refuses the API key says so without showing it', async () => {
    raw.script((res) =>
      res
        .writeHead(401, { 'Content-Type': 'application/json' })
        .end('{"error":{"message":"Incorrect API key provided: test-key-of-the-model"}}'),
    );
    const { events, id } = await sendToRaw();
    expect(message(events)).toMatch(/key/);
    expect(JSON.stringify(events)).not.toContain('test-key-of-the-model');
    await expectNextTurn(id);
  });
});

describe('a hook of the settings', () => {
  const marker = (): Call => ({ name: 'echo_text', arguments: '{"text":"ran"}' });
  async function callUnder(command: string, timeoutSeconds: number): Promise<ChatEvent[]> {
    const hook = { name: 'odd', event: 'pre_tool_use' as const, type: 'command' as const };
    const hooks = [{ ...hook, command, timeoutSeconds }];
    await host.client.call(api.settings.put, { body: { hooks } });
    host.model.requests.length = 0;
    host.model.script((_, index) => (index === 0 ? { toolCalls: [marker()] } : { text: ['Ok.'] }));
    try {
      return await host.sendMessage('go');
    } finally {
      await host.client.call(api.settings.put, { body: { hooks: [] } });
    }
  }

  it.each([
    ['hangs', 'sleep 600', 1, /odd.*took longer than its 1 s and was stopped/],
    ['forks and hangs', 'for i in 1 2 3 4 5; do (sleep 600; sleep 600) & done; wait', 1, /1 s/],
    ['prints without end', 'yes', 300, /odd.*printed more than 256 MiB and was stopped/],
  ])(
    'that %s lets the call continue, and the user gets a warning',
    async (_, command, seconds, pattern) => {
      const events = await callUnder(command, seconds);
      expect(resultsOf(events)).toMatchObject([{ success: true, output: '{"text":"ran"}' }]);
      expect(only(events, 'warning').map(({ message: warning }) => String(warning))).toEqual([
        expect.stringMatching(pattern) as unknown,
      ]);
      await expectNextTurn();
    },
  );

  it('that prints 100 MB and denies is obeyed, with one line as its reason', async () => {
    const events = await callUnder(
      'echo "not today" >&2; head -c 104857600 /dev/zero | tr "\\0" x >&2; exit 2',
      300,
    );
    const [result] = resultsOf(events);
    expect(result).toMatchObject({ success: false });
    expect(String(result?.['output'])).toBe('The hook odd denied this call: not today');
    expect(JSON.stringify(host.model.requests[1]?.messages)).toContain('not today');
    await expectNextTurn();
  });
});

describe('a turn for a workflow', () => {
  it('that does not exist is refused before the turn starts', async () => {
    const { id } = await host.client.call(api.conversations.create, { body: {} });
    const request = {
      messages: [{ role: 'user' as const, content: 'go' }],
      conversationId: id,
      workflowId: 'none',
    };
    await expect(host.sendMessage(request)).rejects.toMatchObject({
      problem: {
        code: 'unknown_workflow',
        status: 404,
        detail: 'There is no workflow with this id.',
      },
    });
    expect(host.model.requests).toEqual([]);
    const { messages } = await host.client.call(api.conversations.show, {
      params: { id },
      query: {},
    });
    expect(messages).toEqual([]);
    await expectNextTurn(id);
  });
});
