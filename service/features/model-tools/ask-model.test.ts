import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const ask = async (args: Record<string, unknown>) => {
  const { run } = await host.finish(
    { steps: [{ tool: 'ask_model', arguments: args }] },
    fullAccess,
  );
  return run.executions[0];
};
const answers = (...texts: string[]): number => {
  const before = host.model.requests.length;
  host.model.script((_, index) => ({ text: [texts[index - before] ?? texts.at(-1) ?? ''] }));
  return before;
};

describe('a request to the model', () => {
  it('returns the answer as the text of the step', async () => {
    const before = answers('Bonjour');
    expect(await ask({ prompt: 'Hello in French?', system: 'One word.' })).toMatchObject({
      status: 'completed',
      result: { text: 'Bonjour' },
    });
    expect(host.model.requests.slice(before)).toMatchObject([
      {
        messages: [
          { role: 'system', content: 'One word.' },
          { role: 'user', content: 'Hello in French?' },
        ],
      },
    ]);
  });

  it('for a value returns one that matches the schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { $ref: '#/$defs/name' }, people: { type: 'integer' } },
      required: ['city', 'people'],
      $defs: { name: { type: 'string' } },
    };
    answers('Here it is:\n```json\n{"city": "Bonn", "people": 330000}\n```');
    expect(await ask({ prompt: 'Which city?', schema })).toMatchObject({
      result: { value: { city: 'Bonn', people: 330_000 } },
    });
  });

  it('for a value supports any type, including a plain word', async () => {
    answers('[1, 2]');
    expect(await ask({ prompt: 'x', schema: { type: 'array' } })).toMatchObject({
      result: { value: [1, 2] },
    });
    answers('blue');
    const colours = { type: 'string', enum: ['red', 'blue'] };
    expect(await ask({ prompt: 'x', schema: colours })).toMatchObject({
      result: { value: 'blue' },
    });
  });

  it('is repeated with the error if the value does not match', async () => {
    const before = answers('It is forty-two.', '{"n": "42"}', '{"n": 42}');
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    expect(await ask({ prompt: 'How many?', schema })).toMatchObject({
      result: { value: { n: 42 } },
    });
    const [, second, third] = host.model.requests.slice(before);
    expect(second?.messages.at(-1)?.content).toMatch(/not JSON/);
    expect(third?.messages.at(-1)?.content).toMatch(/value\.n must be a number/);
  });

  it('is made at most three times; then the step fails with the reason and the output of the model as details', async () => {
    const before = answers('No idea.');
    const step = await ask({ prompt: 'How many?', schema: { type: 'number' } });
    expect(step).toMatchObject({ status: 'failed' });
    expect(step?.error).toMatch(/did not return a value that matches the schema/);
    expect(step?.error).not.toMatch(/No idea/);
    expect(step?.details).toMatch(/No idea/);
    expect(host.model.requests).toHaveLength(before + 3);
  });
});

describe('a step that asks the model', () => {
  const start = () =>
    host.start({
      plan: { steps: [{ tool: 'ask_model', arguments: { prompt: 'x' } }] },
      config: { permissionMode: 'ask-for-approval', planApproval: false },
    });

  it('has the effect read if the model runs on this machine, and external otherwise', async () => {
    answers('Here.');
    const outside = await start();
    expect(await host.gate(outside.runId)).toMatchObject({ effect: 'external' });
    await host.client.call(api.agent.cancel, { params: { runId: outside.runId } });
    const local = { model: 'test-model', baseUrl: host.model.baseUrl };
    await host.client.call(api.aiConfig.put, { body: { activeMode: 'local', local } });
    const inside = await start();
    await inside.ended;
    expect(await host.show(inside.runId)).toMatchObject({
      status: 'completed',
      executions: [{ approval: { by: 'mode' }, result: { text: 'Here.' } }],
    });
    await host.client.call(api.aiConfig.put, { body: { activeMode: 'cloud_c' } });
  });

  it('for each element of a list returns a list of answers', async () => {
    host.model.script(({ messages }) => ({ text: [`<${String(messages.at(-1)?.content)}>`] }));
    const step = { tool: 'ask_model', arguments: { prompt: '{{item}}' }, forEach: ['a', 'b'] };
    const { run } = await host.finish({ steps: [step] }, fullAccess);
    expect(run.executions[0]).toMatchObject({ result: [{ text: '<a>' }, { text: '<b>' }] });
  });

  it('fails with a readable message if no model is ready', async () => {
    const alone = await startAgentHost();
    try {
      const none = { cloud_c: { apiKey: '', model: '', baseUrl: '' } };
      await alone.client.call(api.aiConfig.put, { body: none });
      const { run } = await alone.finish(
        { steps: [{ tool: 'ask_model', arguments: { prompt: 'x' } }] },
        fullAccess,
      );
      expect(run.executions[0]?.status).toBe('failed');
      expect(run.executions[0]?.error).toMatch(/model/i);
    } finally {
      await alone.close();
    }
  });
});
