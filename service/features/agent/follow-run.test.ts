import { expect, it } from 'vitest';
import type { EventOf, RunEvent, RunWords } from '../../contract/index.ts';
import { api } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(
  startAgentHost({ gateWaits: { gateGraceMs: 100, gateLimitMs: 2_000 } }),
);

type FollowEvent = EventOf<(typeof api.runStreams.follow)['reply']>;

function follow(runId: string, after?: number) {
  const leaving = new AbortController();
  const received: FollowEvent[] = [];
  const input = { params: { runId }, query: after === undefined ? {} : { after } };
  const read = async (): Promise<void> => {
    const stream = host.client.stream(api.runStreams.follow, { ...input, signal: leaving.signal });
    for await (const event of stream) received.push(event);
  };
  const ended = read();
  ended.catch(() => undefined);
  const stored = (): RunEvent[] =>
    received.flatMap((one) => (one.event === 'event' ? [one.data] : []));
  const snapshot = (): RunWords | undefined =>
    received.flatMap((one) => (one.event === 'words' ? [one.data] : []))[0];
  const tokens = (): string =>
    received.map((one) => (one.event === 'plan_token' ? one.data.text : '')).join('');
  const draft = (): string => (snapshot()?.draft ?? '') + tokens();
  return {
    heard: received,
    stored,
    words: snapshot,
    tokens,
    draft,
    ended,
    leave: () => leaving.abort(),
  };
}

const startRun = async (body: object): Promise<string> =>
  (await host.client.call(api.agent.run, { body: { goal: 'Say hello', ...body } })).runId;
const gated = { workflow: { steps: [command('echo hello')] } };

it('any number of readers follow a run to its end and receive all events in order', async () => {
  const runId = await startRun({ ...gated, config: { permissionMode: 'full-access' } });
  const early = [follow(runId), follow(runId)];
  const { gateId } = await host.gate(runId);
  const late = follow(runId);
  await expect.poll(() => late.words()).toBeDefined();
  await host.approve(runId, {}, { gateId });
  await Promise.all([...early, late].map(({ ended }) => ended));
  const { events, status } = await host.show(runId);
  expect(status).toBe('completed');
  for (const reader of [...early, late, follow(runId)]) {
    await reader.ended;
    expect(reader.stored().map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    expect(reader.stored().map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at));
  }
});

it('a reader that reconnects receives the events it missed and none twice', async () => {
  const runId = await startRun({ ...gated, config: { permissionMode: 'full-access' } });
  await host.gate(runId);
  const first = follow(runId);
  await expect.poll(() => first.words()).toBeDefined();
  const last = first.stored().at(-1)?.sequence ?? -1;
  expect(last).toBeGreaterThan(0);
  first.leave();
  await host.approve(runId);
  await expect.poll(async () => (await host.show(runId)).status).toBe('completed');
  const again = follow(runId, last);
  await again.ended;
  const { events } = await host.show(runId);
  expect(again.stored()).toMatchObject(events.slice(last + 1));
  expect(again.stored()[0]?.sequence).toBe(last + 1);
});

it('a reader that joins later receives the draft so far, then the new text', async () => {
  const more = Promise.withResolvers<undefined>();
  const plan = JSON.stringify(gated.workflow);
  host.model.script(() => ({ text: ['Let me think.\n', '```json\n'], until: more.promise }));
  const runId = await startRun({});
  const first = follow(runId);
  // The text may arrive live or in the snapshot, depending on timing.
  await expect.poll(() => first.draft()).toContain('Let me think.');
  const late = follow(runId);
  await expect.poll(() => late.words()?.draft).toContain('Let me think.');
  host.model.script(() => ({ text: [plan] }));
  more.resolve(undefined);
  await host.gate(runId);
  await expect.poll(() => late.tokens()).toContain('echo hello');
  expect(late.heard.some(({ event }) => event === 'warning')).toBe(true);
  const planned = follow(runId);
  await expect.poll(() => planned.words()?.draft).toBe('');
  expect(planned.words()?.warnings).toHaveLength(1);
  for (const reader of [first, late, planned]) reader.leave();
  await host.client.call(api.agent.cancel, { params: { runId } });
});

it('a reader that joins later receives the earlier progress of a tool', async () => {
  const wait = 'echo half; while [ ! -e go ]; do sleep 0.05; done';
  const steps = [command(wait)];
  const config = { permissionMode: 'full-access', planApproval: false };
  const runId = await startRun({ workflow: { steps }, config });
  const early = follow(runId);
  const hasProgress = () =>
    early.words()?.progress.length || early.heard.some(({ event }) => event === 'step_progress');
  await expect.poll(hasProgress).toBeTruthy();
  const late = follow(runId);
  await expect.poll(() => late.words()?.progress).toMatchObject([{ index: 0, text: 'half\n' }]);
  early.leave();
  const free = await startRun({ workflow: { steps: [command('touch go')] }, config });
  await Promise.all([late.ended, follow(free).ended]);
  expect((await host.show(runId)).status).toBe('completed');
});

it('a run counts as watched as long as one reader follows it', async () => {
  const news = async (runId: string) =>
    (await host.client.call(api.notifications.list)).filter(
      ({ link }) => link === `/agent/${runId}`,
    );
  const runId = await startRun(gated);
  const [one, other] = [follow(runId), follow(runId)];
  await expect.poll(() => one.words()).toBeDefined();
  await expect.poll(() => other.words()).toBeDefined();
  one.leave();
  await host.gate(runId);
  const alone = await startRun({ ...gated, goal: 'Alone' });
  await expect.poll(() => news(alone)).toHaveLength(1);
  expect(await news(runId)).toEqual([]);
  other.leave();
  await host.approve(runId);
  await expect.poll(() => news(runId)).toHaveLength(1);
  for (const id of [runId, alone])
    await host.client.call(api.agent.cancel, { params: { runId: id } });
});

it('following an unknown run or from an invalid number is refused', async () => {
  const stream = '/api/agent/runs/none/events/stream';
  expect((await host.ask(stream)).status).toBe(404);
  expect((await host.ask(`${stream}?after=x`)).status).toBe(400);
});
