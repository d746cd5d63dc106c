import { describe, expect, it } from 'vitest';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const post = async (workflow: string) => {
  const body = `{"goal":"x","config":{"permissionMode":"full-access"},"workflow":${workflow}}`;
  const answer = await host.ask('/api/agent/run', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return { status: answer.status, problem: answer.json() as { code: string; errors?: object[] } };
};
const step = (args: string, more = ''): string =>
  `{"tool":"execute_command","arguments":${args}${more}}`;

describe('a plan', () => {
  it.each([
    ['a list', `[${step('{"command":"a"}')}]`, 'invalid_body'],
    ['null', 'null', 'invalid_body'],
    ['one with a step that is a text', '{"steps":["execute_command"]}', 'invalid_body'],
    [
      'one whose steps wait for a text',
      `{"steps":[${step('{}', ',"dependsOn":["a"]')}]}`,
      'invalid_body',
    ],
    [
      'one whose steps wait for a part',
      `{"steps":[${step('{}', ',"dependsOn":[0.5]')}]}`,
      'invalid_body',
    ],
    [
      'one whose steps wait for less than nothing',
      `{"steps":[${step('{}', ',"dependsOn":[-1]')}]}`,
      'invalid_body',
    ],
    [
      'one with __proto__ in an argument',
      `{"steps":[${step('{"command":{"__proto__":{"x":1}}}')}]}`,
      'invalid_plan',
    ],
    [
      'one with a reference forward',
      `{"steps":[${step('{"command":"{{steps.1.result}}"}')},${step('{"command":"a"}')}]}`,
      'invalid_plan',
    ],
  ])('that is %s is refused with what is wrong', async (_, workflow, code) => {
    const { status, problem } = await post(workflow);
    expect({ status, code: problem.code }).toEqual({ status: 400, code });
    expect(problem.errors?.length).toBeGreaterThan(0);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('drops a __proto__ key next to the arguments, and nothing inherits from it', async () => {
    const args = '{"command":"echo a","__proto__":{"x":1}}';
    const { status, problem } = await post(`{"steps":[${step(args)}]}`);
    expect(status).toBe(200);
    const { runId } = problem as unknown as { runId: string };
    const gate = await host.gate(runId);
    const [first] = gate.gate === 'plan' ? gate.plan.steps : [];
    expect(Object.entries(first?.arguments ?? {})).toEqual([['command', 'echo a']]);
    expect(first?.arguments['x']).toBeUndefined();
    expect(({} as { x?: number }).x).toBeUndefined();
    await host.approve(runId, { decision: 'reject' });
  });

  it('is requested again if the model wrote only half of it', async () => {
    const plan = JSON.stringify({ steps: [command('echo whole')] });
    const half = '{"summary":"Half","steps":[{"tool":"execute_comm';
    host.model.requests.length = 0;
    host.model.script((_, index) => ({ text: [index === 0 ? half : plan] }));
    const run = await host.start({ config: { ...fullAccess, planApproval: false } });
    await run.ended;
    const { status, executions } = await host.show(run.runId);
    expect({ status, result: executions[0]?.result }).toMatchObject({
      status: 'completed',
      result: { stdout: 'whole\n' },
    });
    // Two requests for the plan and one for the answer.
    expect(host.model.requests).toHaveLength(3);
  });
});

it('events are numbered without gaps across parallel steps, retries and approvals', async () => {
  const config = { permissionMode: 'ask-for-approval' as const, concurrency: 4, maxAttempts: 3 };
  const failing = {
    tool: 'task_output',
    arguments: { taskId: 'none' },
    onFailure: 'continue' as const,
  };
  const steps = [
    ...Array.from({ length: 6 }, () => failing),
    command('echo asked'),
    command('echo asked'),
    command('echo after', [6, 7], { when: { value: 1, equals: 2 } }),
  ];
  const run = await host.start({ plan: { steps }, config });
  await host.gate(run.runId);
  await host.approve(run.runId);
  await expect.poll(async () => (await host.show(run.runId)).gates.length).toBe(2);
  await host.approve(run.runId, { decision: 'allow_session' });
  await run.ended;
  const { events, status } = await host.show(run.runId);
  expect(status).toBe('completed');
  expect(events.map(({ sequence }) => sequence)).toEqual([...events.keys()]);
  const count = (type: string): number => events.filter((one) => one.type === type).length;
  expect({
    starts: count('step_start'),
    retries: count('step_retry'),
    ends: count('step_complete'),
    asked: count('step_approval_requested'),
    approved: count('step_approved'),
    skipped: count('step_skipped'),
  }).toEqual({ starts: 20, retries: 12, ends: 8, asked: 2, approved: 8, skipped: 1 });
  for (const index of steps.keys()) {
    const own = events.filter(({ data }) => data['index'] === index).map(({ type }) => type);
    expect(['step_complete', 'step_skipped']).toContain(own.at(-1));
  }
});
