import { expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { only, textOf } from '../../../testing/chat-host.ts';
import type { Answer } from '../../../testing/model-server.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const unattended = { ...fullAccess, planApproval: false };
const draft = { summary: 'Counts.', steps: [command('echo forty-two')] };

/** A model that drafts the plan, and then answers. */
function drafts(answer: Answer, plan: object = draft): void {
  host.model.requests.length = 0;
  host.model.script((_, index) => (index === 0 ? { text: [JSON.stringify(plan)] } : answer));
}
async function run(config: object = {}) {
  const started = await host.start({ goal: 'How many?', config: { ...unattended, ...config } });
  await started.ended;
  return { ...started, details: await host.show(started.runId) };
}

it('a run of a plan drafted by the model ends with a written answer based on its results', async () => {
  drafts({ text: ['There are ', 'forty-two.'] });
  const { events, details, runId } = await run();
  expect(textOf(events, 'answer_token')).toBe('There are forty-two.');
  expect(only(events, 'complete')).toMatchObject([
    { summary: 'Counts. 1 of 1 steps done.', answer: 'There are forty-two.' },
  ]);
  expect(details).toMatchObject({ status: 'completed', answer: 'There are forty-two.' });
  expect(details.usage?.requests).toBe(2);
  const asked = JSON.stringify(host.model.requests[1]?.messages);
  expect(asked).toContain('How many?');
  expect(asked).toContain('forty-two');
  const news = async () =>
    (await host.client.call(api.notifications.list)).find(({ link }) => link?.endsWith(runId));
  await expect.poll(async () => (await news())?.body).toMatch(/^There are forty-two\./);
});

it('no answer is written if the run turns it off, or for a plan supplied by a client', async () => {
  drafts({ text: ['Never.'] });
  const { events, details } = await run({ answer: false });
  expect(details.status).toBe('completed');
  expect(details.answer).toBeUndefined();
  expect(only(events, 'answer_token')).toEqual([]);
  const provided = await host.finish({ steps: draft.steps }, fullAccess);
  expect(provided.run.answer).toBeUndefined();
  expect(host.model.requests).toHaveLength(1);
});

it('an answer that fails does not fail the run', async () => {
  for (const bad of [{ refuses: { status: 400, message: 'No credit left.' } }, { text: [' '] }]) {
    drafts(bad);
    const { events, details } = await run();
    expect(details).toMatchObject({ status: 'completed' });
    expect(details.answer).toBeUndefined();
    const [warning] = only(events, 'warning');
    expect(warning?.['message']).toMatch(/could not write an answer/);
    expect(details.events.some(({ type }) => type === 'answer_failed')).toBe(true);
  }
});

it('a failed run has no answer, and gets one when it is resumed successfully', async () => {
  drafts({ text: ['Done at last.'] }, { steps: [command('[ -e there ]')] });
  const { details, runId } = await run();
  expect(details).toMatchObject({ status: 'failed' });
  expect(host.model.requests).toHaveLength(1);
  await host.finish({ steps: [command('touch there')] }, fullAccess);
  const resumed = await host.client.call(api.agent.resume, { params: { runId } });
  const next = host.follow(resumed.runId);
  await host.gate(resumed.runId);
  await host.approve(resumed.runId);
  await next.ended;
  expect(await host.show(resumed.runId)).toMatchObject({
    status: 'completed',
    answer: 'Done at last.',
  });
});

it('a run that is cancelled while its answer is written is cancelled', async () => {
  const never = Promise.withResolvers<undefined>();
  drafts({ text: ['Well, '], until: never.promise });
  const started = await host.start({ goal: 'How many?', config: unattended });
  await expect.poll(() => textOf(started.events, 'answer_token')).toBe('Well, ');
  await host.client.call(api.agent.cancel, { params: { runId: started.runId } });
  never.resolve(undefined);
  await started.ended;
  expect((await host.show(started.runId)).status).toBe('cancelled');
});
