import { afterEach, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());
afterEach(() =>
  host.client.call(api.settings.put, {
    body: { permissionRules: { deny: '', ask: '', allow: '' }, hooks: [] },
  }),
);

const asking = { permissionMode: 'ask-for-approval' as const, planApproval: false };

/** A run whose steps all wait for approval. */
async function pendingRun(lines: readonly string[]) {
  const run = await host.start({
    plan: { steps: lines.map((line) => command(line)) },
    config: asking,
  });
  const pendingSteps = async (): Promise<number[]> =>
    (await host.show(run.runId)).gates.flatMap((gate) =>
      gate.gate === 'step' ? [gate.index] : [],
    );
  await expect.poll(async () => (await pendingSteps()).length).toBe(lines.length);
  return { ...run, waiting: pendingSteps };
}

it('allowing one step for the run releases its other steps that the same rule covers, and names the rule', async () => {
  const run = await pendingRun(['echo same', 'echo same', 'echo same', 'touch other']);
  await host.approve(run.runId, { decision: 'allow_session', index: 1 });
  await expect.poll(run.waiting).toEqual([3]);
  await host.approve(run.runId, { decision: 'allow_once' });
  await run.ended;
  const { executions, status } = await host.show(run.runId);
  expect(status).toBe('completed');
  const [first, second, third, other] = executions.map(({ approval }) => approval);
  expect(second).toMatchObject({ by: 'person', decision: 'allow_session' });
  expect(other).toMatchObject({ by: 'person', decision: 'allow_once' });
  for (const released of [first, third])
    expect(released).toMatchObject({
      by: 'rule',
      rule: 'Command(echo:*)',
    });
});

it('a permission for one run does not release steps of another one; a permanent permission does', async () => {
  const [one, two] = [await pendingRun(['echo a', 'echo a']), await pendingRun(['echo a'])];
  await host.approve(one.runId, { decision: 'allow_session' });
  await one.ended;
  expect(await two.waiting()).toEqual([0]);
  const three = await pendingRun(['echo a']);
  await host.approve(three.runId, { decision: 'allow_always' });
  await two.ended;
  expect((await host.show(two.runId)).executions[0]?.approval).toMatchObject({ by: 'rule' });
});

it('steps that a rule or a hook wants confirmed keep waiting', async () => {
  const run = await pendingRun(['echo same', 'echo same']);
  await host.client.call(api.settings.put, {
    body: { permissionRules: { ask: 'Command(echo:*)' } },
  });
  await host.approve(run.runId, { decision: 'allow_session', index: 0 });
  await expect
    .poll(async () => (await host.show(run.runId)).executions[0]?.status)
    .toBe('completed');
  expect(await run.waiting()).toEqual([1]);
  await host.approve(run.runId, { decision: 'reject' });
  await host.client.call(api.settings.put, {
    body: {
      permissionRules: { ask: '' },
      hooks: [
        {
          name: 'Asks',
          event: 'pre_tool_use',
          matcher: '',
          type: 'command',
          command: `echo '{"decision":"ask"}'`,
          timeoutSeconds: 30,
          enabled: true,
        },
      ],
    },
  });
  const hooked = await pendingRun(['echo hooked', 'echo hooked']);
  await host.approve(hooked.runId, { decision: 'allow_session', index: 0 });
  await expect
    .poll(async () => (await host.show(hooked.runId)).executions[0]?.status)
    .toBe('completed');
  expect(await hooked.waiting()).toEqual([1]);
  await host.approve(hooked.runId, { decision: 'reject' });
});

it('a permanent permission given in a run releases a waiting call of a chat', async () => {
  host.model.script((_, index) =>
    index === 0
      ? {
          text: ['Let me see.'],
          toolCalls: [{ id: 'c1', name: 'execute_command', arguments: '{"command":"echo same"}' }],
        }
      : { text: ['Done.'] },
  );
  host.model.requests.length = 0;
  const turn = await host.startTurn('go');
  await expect.poll(() => only(turn.events, 'approval_requested')).toHaveLength(1);
  const run = await pendingRun(['echo same']);
  await host.approve(run.runId, { decision: 'allow_always' });
  await turn.ended;
  expect(only(turn.events, 'approval_decided')).toEqual([
    {
      callId: 'c1',
      decision: 'allow_once',
      rule: 'Command(echo:*)',
    },
  ]);
  expect(only(turn.events, 'tool').at(-1)).toMatchObject({ success: true });
});
