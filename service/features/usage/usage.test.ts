import { describe, expect, it } from 'vitest';
import { type AiMode, AiMode as Modes, api } from '../../contract/index.ts';
import { only, followTurns } from '../../testing/chat-host.ts';
import { startRawModel } from '../../testing/models/raw-model.ts';
import { speak, type SpokenAnswer } from '../../testing/models/spoken-answer.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const model = await useForFile(startRawModel());
const host = await useForFile(startTestHost());
const { client } = host;
const { sendMessage } = followTurns(host);

const nothing = { answers: 0, inputTokens: 0, outputTokens: 0 };

async function useMode(mode: AiMode, name = `${mode}-model`): Promise<void> {
  const baseUrl = mode === 'local' || mode === 'cloud_b' ? model.base : `${model.base}/v1`;
  const backend = { apiKey: 'key-of-the-test', model: name, baseUrl };
  await client.call(api.aiConfig.put, { body: { activeMode: mode, [mode]: backend } });
}

/** Creates a conversation with one question and its answer. */
async function converse(mode: AiMode, answer: SpokenAnswer) {
  model.script((res) => speak(res, mode, answer));
  const { id } = await client.call(api.conversations.create, { body: { title: 'Sums' } });
  const messages = [{ role: 'user' as const, content: 'How much?' }];
  const events = await sendMessage({ conversationId: id, messages });
  return { id, events };
}

const setPrices = (models: Record<string, { input: number; output: number }>) =>
  client.call(api.usage.setPrices, { body: { currency: 'EUR', models } });

describe('the usage of a model', () => {
  it('is empty at first, and no model has a price', async () => {
    expect(await client.call(api.usage.prices)).toEqual({ currency: 'USD', models: {} });
    const report = await client.call(api.usage.report);
    expect(report).toMatchObject({ total: nothing, months: [], conversations: [] });
  });

  it.each(Modes.options)('of %s is stored with the answer, and has a cost', async (mode) => {
    await useMode(mode);
    await setPrices({ [`${mode}-model`]: { input: 2, output: 8 } });
    const counts = mode === 'local' ? {} : { cached: 400, reasoning: 30 };
    const { id, events } = await converse(mode, {
      text: 'Much.',
      input: 1_000,
      output: 250,
      ...counts,
    });
    const usage = {
      inputTokens: 1_000,
      outputTokens: 250,
      ...(mode === 'local' ? {} : { cachedTokens: 400, reasoningTokens: 30 }),
    };
    const cost = { amount: 0.004, currency: 'EUR' };
    expect(only(events, 'done')).toMatchObject([{ usage, cost }]);
    const { messages } = await client.call(api.conversations.show, { params: { id } });
    expect(messages.at(-1)).toMatchObject({
      content: 'Much.',
      model: { mode, name: `${mode}-model` },
      usage,
      cost,
    });
    expect(messages[0]).not.toHaveProperty('usage');
  });

  it('is priced at the current prices, and has no cost without a price', async () => {
    await useMode('cloud_a');
    await setPrices({});
    const { id, events } = await converse('cloud_a', { text: 'So.', input: 10, output: 5 });
    expect(only(events, 'done')[0]).not.toHaveProperty('cost');
    const last = async () =>
      (await client.call(api.conversations.show, { params: { id } })).messages.at(-1);
    expect(await last()).not.toHaveProperty('cost');
    await setPrices({ 'cloud_a-model': { input: 1_000_000, output: 0 } });
    expect(await last()).toMatchObject({ cost: { amount: 10, currency: 'EUR' } });
    await client.call(api.usage.setPrices, {
      body: {
        currency: 'EUR',
        models: { 'cloud_a-model': { input: 1_000_000, output: 0, cachedInput: 0 } },
      },
    });
    expect(await last()).toMatchObject({ cost: { amount: 10, currency: 'EUR' } });
  });

  it('in a message from a client is stored, but its cost is not', async () => {
    const body = {
      title: 'From elsewhere',
      messages: [
        {
          role: 'assistant' as const,
          content: 'x',
          usage: { inputTokens: 1 },
          cost: { amount: 99, currency: 'XXX' },
        },
      ],
    };
    const { messages } = await client.call(api.conversations.create, { body });
    expect(messages[0]).toMatchObject({ usage: { inputTokens: 1 } });
    expect(messages[0]).not.toHaveProperty('cost');
  });

  it('is summed by month, model and conversation, including deleted conversations', async () => {
    await useMode('cloud_c', 'summed');
    await setPrices({ summed: { input: 1, output: 1 } });
    const first = await converse('cloud_c', { text: 'a', input: 1_000_000, output: 500_000 });
    const second = await converse('cloud_c', { text: 'b', input: 3_000_000, output: 500_000 });
    await client.call(api.conversations.remove, { params: { id: first.id } });
    const report = await client.call(api.usage.report);
    const month = report.months.at(-1);
    expect(month?.models.find((one) => one.model === 'summed')).toMatchObject({
      answers: 2,
      inputTokens: 4_000_000,
      outputTokens: 1_000_000,
      cost: { amount: 5, currency: 'EUR' },
      unpricedTokens: 0,
    });
    expect(report.conversations[0]).toMatchObject({ id: second.id, title: 'Sums', answers: 1 });
    const removed = report.conversations.find(({ id }) => id === first.id);
    expect(removed).toMatchObject({ cost: { amount: 1.5, currency: 'EUR' } });
    expect(removed).not.toHaveProperty('title');
    // The models of the earlier tests have no price any more.
    expect(report.total.unpricedTokens).toBeGreaterThan(0);
    expect(report.total.cost).toEqual({ amount: 5, currency: 'EUR' });
  });

  it('outside of a requested period is excluded', async () => {
    const query = { from: '2001-01', to: '2001-12' };
    expect(await client.call(api.usage.report, { query })).toMatchObject({ total: nothing });
    const answer = await host.ask('/api/ai/usage?from=yesterday');
    expect(answer.json()).toMatchObject({ code: 'invalid_query' });
  });

  it('is exported as CSV, in which titles cannot be formulas', async () => {
    const { id } = await client.call(api.conversations.create, { body: { title: '=1+1, "x"' } });
    await useMode('cloud_c', 'exported');
    model.script((res) => speak(res, 'cloud_c', { text: 'x', input: 7, output: 3 }));
    await sendMessage({ conversationId: id, messages: [{ role: 'user', content: 'Go' }] });
    const response = await client.open(api.usage.export);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toBe(
      'day,provider,model,conversation,title,answers,estimatedAnswers,inputTokens,cachedTokens,outputTokens,reasoningTokens,cost,currency',
    );
    const line = lines.find((one) => one.includes('exported'));
    expect(line).toMatch(/^\d{4}-\d\d-\d\d,cloud_c,exported,/);
    expect(line).toContain(`,${id},"'=1+1, ""x""",1,0,7,0,3,0,,`);
  });
});

describe('prices', () => {
  it.each([
    ['below zero', { models: { m: { input: -1, output: 0 } } }],
    ['as text', { models: { m: { input: '1', output: 0 } } }],
    ['without an output', { models: { m: { input: 1 } } }],
    ['without a currency', { currency: '', models: {} }],
  ])('%s are refused, and the previous ones are kept', async (_, body) => {
    const before = await client.call(api.usage.prices);
    const answer = await host.ask('/api/ai/prices', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(await client.call(api.usage.prices)).toEqual(before);
  });
});
