import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { only, textOf } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const kinds = (events: readonly { event: string }[]): string[] => events.map(({ event }) => event);

describe("a run with the caller's plan", () => {
  it('waits for approval of the plan, runs its steps and ends with their results [AGENT-07, AGENT-08, AGENT-11, AGENT-21, AGENT-23, AGENT-24, AGENT-26, AGENT-28, AGENT-37, AGENT-38, AGENT-39, AGENT-40, AGENT-42]', async () => {
    const plan = {
      steps: [
        command('echo one'),
        command('echo "{{steps.0.result.stdout}}two"', [0]),
        command('echo three'),
      ],
    };
    const run = await host.start({ plan, config: fullAccess });
    const gate = await host.gate(run.runId);
    expect(gate).toMatchObject({ gate: 'plan', runId: run.runId, completed: [], unknown: [] });
    expect(await host.show(run.runId)).toMatchObject({
      status: 'awaiting_plan_approval',
      gateId: gate.gateId,
      goal: 'A goal',
      executions: [{ status: 'pending', attempt: 0 }, {}, {}],
    });
    expect(await host.approve(run.runId)).toMatchObject({ runId: run.runId });
    await run.ended;
    const seen = kinds(run.events);
    expect(seen.slice(0, 3)).toEqual(['plan_ready', 'plan_approval_requested', 'plan_approved']);
    expect(seen.at(-1)).toBe('complete');
    expect(seen).not.toContain('plan_token');
    const [complete] = only(run.events, 'complete');
    expect(complete).toMatchObject({
      runId: run.runId,
      summary: '3 of 3 steps done.',
      results: [{ stdout: 'one\n' }, { stdout: 'one\ntwo\n' }, { stdout: 'three\n' }],
    });
    const done = await host.show(run.runId);
    expect(done).toMatchObject({ status: 'completed', summary: '3 of 3 steps done.', gates: [] });
    expect(done.executions[1]).toMatchObject({
      index: 1,
      stepId: 'step-1',
      status: 'completed',
      attempt: 1,
      result: { stdout: 'one\ntwo\n' },
      approval: { by: 'mode' },
    });
    const stepEvents = run.events.filter(
      ({ event }) => event.startsWith('step_') && event !== 'step_progress',
    );
    expect(stepEvents.map(({ event }) => event)).toEqual(
      done.events.filter(({ type }) => type.startsWith('step_')).map(({ type }) => type),
    );
    expect(done.events.map(({ sequence }) => sequence)).toEqual(
      Array.from(done.events, (_, index) => index),
    );
  });

  it('accepts an edited plan after checking it; an invalid one keeps the gate open [AGENT-12, AGENT-25]', async () => {
    const run = await host.start({ plan: { steps: [command('echo old')] }, config: fullAccess });
    await host.gate(run.runId);
    const bad = host.approve(run.runId, { steps: [{ tool: 'no_such_tool' }] });
    await expect(bad).rejects.toMatchObject({
      problem: { status: 400, code: 'invalid_plan', errors: [{ path: 'steps.0.tool' }] },
    });
    expect((await host.show(run.runId)).status).toBe('awaiting_plan_approval');
    await host.approve(run.runId, { steps: [command('echo new'), command('echo more', [0])] });
    await run.ended;
    expect(only(run.events, 'plan_approved')).toMatchObject([{ edited: true }]);
    expect(await host.show(run.runId)).toMatchObject({
      plan: { steps: [{ arguments: { command: 'echo new' } }, {}] },
      executions: [{ result: { stdout: 'new\n' } }, { result: { stdout: 'more\n' } }],
    });
  });

  it('is cancelled by a rejection and can be approved only once', async () => {
    const run = await host.start({ plan: { steps: [command('echo no')] }, config: fullAccess });
    const { gateId } = await host.gate(run.runId);
    const both = await Promise.allSettled([
      host.approve(run.runId, { decision: 'reject', comment: 'Not today.' }, { gateId }),
      host.approve(run.runId, undefined, { gateId }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await run.ended;
    expect(kinds(run.events)).not.toContain('step_start');
    const ended = await host.show(run.runId);
    expect(ended).toMatchObject({ status: 'cancelled', executions: [{ status: 'cancelled' }] });
    const late = host.approve(run.runId);
    await expect(late).rejects.toMatchObject({ problem: { status: 409, code: 'nothing_waits' } });
  });

  it.each([
    ['a circle', [command('a', [1]), command('b', [0])], 'steps.0.dependsOn'],
    ['itself', [command('a', [0])], 'steps.0.dependsOn.0'],
    ['an index that is not there', [command('a', [7])], 'steps.0.dependsOn.0'],
    ['an unknown tool', [{ tool: 'nothing' }], 'steps.0.tool'],
    [
      'a result of a step it does not wait for',
      [command('a'), command('{{steps.0.result}}')],
      'steps.1.arguments.command',
    ],
    ['steps.99', [command('{{steps.99.result}}')], 'steps.0.arguments.command'],
    [
      'last.result without prerequisites',
      [command('{{last.result}}')],
      'steps.0.arguments.command',
    ],
    ['an input', [command('{{inputs.name}}')], 'steps.0.arguments.command'],
    ['a broken reference', [command('{{steps.x.result}}')], 'steps.0.arguments.command'],
    [
      'arguments against the schema',
      [{ tool: 'execute_command', arguments: { command: 7 } }],
      'steps.0.arguments.command',
    ],
    [
      'a wrong argument beside one that is not known yet',
      [
        command('a'),
        {
          ...command('', [0]),
          arguments: { command: '{{steps.0.result.stdout}}', timeoutSeconds: 'soon' },
        },
      ],
      'steps.1.arguments.timeoutSeconds',
    ],
    [
      'the same, with the other one known',
      [
        command('a'),
        {
          ...command('', [0]),
          arguments: { command: 7, timeoutSeconds: '{{steps.0.result.exitCode}}' },
        },
      ],
      'steps.1.arguments.command',
    ],
    ['a missing argument', [{ tool: 'execute_command' }], 'steps.0.arguments'],
    [
      'two steps of one id',
      [command('a', [], { id: 'x' }), command('b', [], { id: 'x' })],
      'steps.1.id',
    ],
    [
      'a name of the language',
      [
        {
          tool: 'execute_command',
          arguments: { command: 'a', more: JSON.parse('{"__proto__":1}') as object },
        },
      ],
      'steps.0.arguments.more.__proto__',
    ],
  ])('is refused before anything runs when it names %s [AGENT-22]', async (_, steps, path) => {
    const runs = await host.client.call(api.agent.runs, { query: {} });
    const refused = host.start({ plan: { steps }, config: fullAccess });
    await expect(refused).rejects.toMatchObject({
      problem: { status: 400, code: 'invalid_plan', errors: [{ path }] },
    });
    expect(await host.client.call(api.agent.runs, { query: {} })).toEqual(runs);
  });

  it.each([
    ['is a list', []],
    ['has no steps', { steps: [] }],
    ['has 10 000 steps', { steps: Array.from({ length: 10_000 }, () => ({ tool: 'x' })) }],
    ['is a text', 'steps'],
  ])('is rejected as a plan when it %s', async (_, plan) => {
    const body = { goal: 'x', config: {}, workflow: plan } as never;
    await expect(host.client.call(api.agent.run, { body })).rejects.toMatchObject({
      problem: { status: 400, code: 'invalid_body' },
    });
  });
});

describe('a run with a goal', () => {
  const draft = { summary: 'Says hello.', steps: [command('echo hello')] };

  it('streams the draft, gives the model no tools and asks for approval of the plan [AGENT-20, AGENT-36, AGENT-48]', async () => {
    host.model.requests.length = 0;
    const text = JSON.stringify(draft);
    host.model.script(() => ({ text: ['Here it is:\n```json\n', text, '\n```'] }));
    const run = await host.start({ goal: 'Greet me', config: fullAccess });
    const gate = await host.gate(run.runId);
    expect(gate).toMatchObject({ plan: { goal: 'Greet me', ...draft } });
    expect(textOf(run.events, 'plan_token')).toContain(text);
    expect(host.model.requests).toHaveLength(1);
    expect(host.model.requests[0]?.tools ?? []).toEqual([]);
    expect(JSON.stringify(host.model.requests[0]?.messages)).toContain('execute_command');
    await host.approve(run.runId);
    await run.ended;
    expect(only(run.events, 'complete')).toMatchObject([
      { summary: 'Says hello. 1 of 1 steps done.' },
    ]);
  });

  it.each([
    ['prose', 'I would first look around.', /did not write a plan/],
    ['a tool that is not there', '{"steps":[{"tool":"teleport"}]}', /no tool teleport/],
    ['a list with one step too many', JSON.stringify(Array(3).fill(command('x'))), /2 are allowed/],
  ])('is requested again after %s, and fails if that is no better', async (_, bad, why) => {
    const config = { ...fullAccess, maxSteps: 2 };
    host.model.requests.length = 0;
    host.model.script((__, index) => ({ text: [index === 0 ? bad : JSON.stringify(draft)] }));
    const good = await host.start({ config });
    await host.gate(good.runId);
    expect(only(good.events, 'warning')).toMatchObject([
      { message: expect.stringMatching(why) as unknown },
    ]);
    expect(host.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
    await host.client.call(api.agent.cancel, { params: { runId: good.runId } });
    host.model.script(() => ({ text: [bad] }));
    const failed = await host.start({ config });
    await failed.ended;
    expect(failed.events.at(-1)).toMatchObject({
      event: 'error',
      data: { message: expect.stringMatching(why) as unknown },
    });
    expect(await host.show(failed.runId)).toMatchObject({ status: 'failed', plan: null });
  });

  it('reports the tokens of its planning request and adds them to the total of the host', async () => {
    const counted = async (direction: string): Promise<number> => {
      const tag = [`direction:${direction}`, 'source:server'];
      const read = { params: { name: 'host.chat.tokens' }, query: { tag } };
      const metric = await host.client.call(api.host.metric, read).catch(() => null);
      return metric?.measurements[0]?.value ?? 0;
    };
    const before = [await counted('input'), await counted('output')];
    host.model.requests.length = 0;
    host.model.script((_, index) => ({
      text: [index === 0 ? 'No.' : JSON.stringify(draft)],
      usage: { prompt_tokens: 70, completion_tokens: 9 },
    }));
    const config = { ...fullAccess, planApproval: false, answer: false };
    const run = await host.start({ config });
    await run.ended;
    const { usage, events } = await host.show(run.runId);
    expect(usage).toEqual({ requests: 2, inputTokens: 140, outputTokens: 18 });
    expect(events.filter(({ type }) => type === 'model_asked')).toMatchObject([
      { data: { inputTokens: 70, outputTokens: 9, told: true } },
      { data: { inputTokens: 70, outputTokens: 9, told: true } },
    ]);
    const [input = 0, output = 0] = before;
    expect([await counted('input'), await counted('output')]).toEqual([input + 140, output + 18]);
  });

  it('accepts a draft that is not quite JSON', async () => {
    host.model.script(() => ({
      text: [`{steps: [{'tool': 'execute_command', arguments: {command: "echo hi",},}]`],
    }));
    const run = await host.start({ config: fullAccess });
    expect(await host.gate(run.runId)).toMatchObject({
      plan: { steps: [{ tool: 'execute_command', arguments: { command: 'echo hi' } }] },
    });
    await host.client.call(api.agent.cancel, { params: { runId: run.runId } });
  });

  it('fails with the message of the model server [AGENT-29, AGENT-43]', async () => {
    host.model.script(() => ({ text: ['{"steps":'], breaksOff: true }));
    const run = await host.start({ config: fullAccess });
    await run.ended;
    expect(kinds(run.events).at(-1)).toBe('error');
    const { status, error } = await host.show(run.runId);
    expect({ status, error }).toEqual({
      status: 'failed',
      error: run.events.at(-1)?.data['message'],
    });
  });
});

describe('steps', () => {
  it('start as soon as their own prerequisites are done, in parallel [AGENT-01, AGENT-06]', async () => {
    const wait = (name: string): string => `touch ${name}; until [ -e go ]; do sleep 0.02; done`;
    const { run, events } = await host.finish(
      {
        steps: [
          command('echo begun'),
          command(wait('a'), [0]),
          command(wait('b'), [0]),
          command('echo early', [0]),
          // This step depends only on step 3, so the other steps may still be running.
          command('until [ -e a ] && [ -e b ]; do sleep 0.02; done; touch go', [3]),
        ],
      },
      fullAccess,
    );
    expect(run.status).toBe('completed');
    const order = only(events, 'step_complete').map(({ index }) => Number(index));
    expect(order.indexOf(3)).toBeLessThan(order.indexOf(1));
  });

  it('never exceed the concurrency of the run', async () => {
    const most = async (concurrency: number): Promise<number> => {
      const log = `log-${concurrency}`;
      const line = `echo begin >> ${log}; sleep 0.4; echo end >> ${log}`;
      const steps = [0, 1, 2, 3, 4, 5, 6, 7].map(() => command(line));
      const last = command(`cat ${log}`, [...steps.keys()]);
      const { run } = await host.finish(
        { steps: [...steps, last] },
        { ...fullAccess, concurrency },
      );
      let now = 0;
      const { stdout } = run.executions.at(-1)?.result as { stdout: string };
      const lines = stdout.trim().split('\n');
      expect(lines).toHaveLength(16);
      return Math.max(...lines.map((word) => (now += word === 'begin' ? 1 : -1)));
    };
    expect(await most(2)).toBe(2);
    expect(await most(8)).toBeGreaterThan(2);
  });

  it('take typed values from earlier results and report a missing one [AGENT-02, AGENT-03]', async () => {
    const { run } = await host.finish(
      {
        steps: [
          command('echo hello'),
          {
            ...command('', [0]),
            arguments: { command: 'last.result.stdout', timeoutSeconds: 'steps.0.result.exitCode' },
          },
          {
            ...command('', [0]),
            arguments: { command: 'echo {{last.result.stdout}} {{steps.0.result.nothing}}' },
          },
        ],
      },
      fullAccess,
    );
    expect(run.status).toBe('failed');
    expect(run.executions[1]?.error).toMatch(/timeoutSeconds/);
    expect(run.executions[2]?.error).toMatch(/nothing does not exist/);
  });

  it('that fail skip their dependents and nothing else', async () => {
    const plan = {
      steps: [
        { tool: 'task_output', arguments: { taskId: 'none' }, dependsOn: [] },
        command('echo needs it', [0]),
        command('echo needs that', [1]),
        command('echo free'),
      ],
    };
    const { run, events } = await host.finish(plan, fullAccess);
    expect(run.status).toBe('failed');
    expect(run.error).toMatch(/^Step 1 failed: .*1 of 4 steps done, 2 skipped\.$/);
    expect(run.executions.map(({ status }) => status)).toEqual([
      'failed',
      'skipped',
      'skipped',
      'completed',
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { message: run.error } });
    const [first, ...rest] = plan.steps;
    const going = await host.finish(
      { steps: [{ ...first, onFailure: 'continue' as const } as never, ...rest] },
      fullAccess,
    );
    expect(going.run).toMatchObject({
      status: 'completed',
      summary: '1 of 4 steps done, 2 skipped.',
    });
  });

  it('are retried as often as they declare', async () => {
    const failing = (more: object) => ({
      tool: 'task_output',
      arguments: { taskId: 'none' },
      dependsOn: [],
      ...more,
    });
    const { run, events } = await host.finish(
      { steps: [failing({ retry: { maxAttempts: 3 } }), failing({})] },
      { ...fullAccess, maxAttempts: 2 },
    );
    expect(run.executions.map(({ attempt }) => attempt)).toEqual([3, 2]);
    expect(only(events, 'step_retry')).toHaveLength(3);
  });

  it('are skipped if their condition does not hold; the branch that was taken continues', async () => {
    const when = (equals: string) => ({ when: { value: '{{steps.0.result.stdout}}', equals } });
    const { run } = await host.finish(
      {
        steps: [
          command('printf yes'),
          command('echo taken', [0], when('yes')),
          command('echo not taken', [0], when('no')),
          command('echo after not', [2]),
          command('echo joined', [1, 3]),
        ],
      },
      fullAccess,
    );
    expect(run).toMatchObject({ status: 'completed', summary: '3 of 5 steps done, 2 skipped.' });
    expect(run.executions.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'skipped',
      'skipped',
      'completed',
    ]);
  });

  it('that exceed their time limit are stopped and fail', async () => {
    const { run } = await host.finish(
      { steps: [command('sleep 30071', [], { timeoutSeconds: 1 })] },
      fullAccess,
    );
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/longer than 1 second\./) as unknown,
    });
  });
});

describe('a step that needs approval', () => {
  const config = { permissionMode: 'ask-for-approval' as const };

  it('waits and runs once approved while the others continue [AGENT-27, AGENT-41, AGENT-44]', async () => {
    const plan = {
      steps: [
        command('echo asked'),
        { tool: 'task_output', arguments: { taskId: 'none' }, onFailure: 'continue' as const },
      ],
    };
    const run = await host.start({ plan, config: { ...config, planApproval: false } });
    const gate = await host.gate(run.runId);
    expect(gate).toMatchObject({
      gate: 'step',
      index: 0,
      tool: 'execute_command',
      effect: 'execute',

      arguments: { command: 'echo asked' },
      options: expect.arrayContaining(['allow_once', 'reject']) as unknown,
    });
    await expect
      .poll(async () => (await host.show(run.runId)).executions[1]?.status)
      .toBe('failed');
    expect(await host.show(run.runId)).toMatchObject({
      status: 'awaiting_step_approval',
      executions: [{ status: 'awaiting_approval' }, {}],
    });
    await host.approve(run.runId, { decision: 'allow_once' }, { gateId: gate.gateId });
    await run.ended;
    expect(await host.show(run.runId)).toMatchObject({
      status: 'completed',
      executions: [{ status: 'completed', approval: { by: 'person', decision: 'allow_once' } }, {}],
    });
    const again = host.approve(run.runId, { decision: 'allow_once' }, { gateId: gate.gateId });
    await expect(again).rejects.toMatchObject({ problem: { status: 409 } });
  });

  it('fails with the comment of a rejection, and an old gate releases nothing', async () => {
    const steps = [command('echo first'), command('echo second', [0])];
    const run = await host.start({ plan: { steps }, config: { ...config, planApproval: false } });
    const first = await host.gate(run.runId);
    await host.approve(run.runId, undefined, { gateId: first.gateId });
    await expect.poll(async () => (await host.show(run.runId)).gates).toMatchObject([{ index: 1 }]);
    const stale = host.approve(run.runId, undefined, { gateId: first.gateId });
    await expect(stale).rejects.toMatchObject({ problem: { status: 409, code: 'stale_gate' } });
    await host.approve(run.runId, { decision: 'reject', comment: 'Too loud.', index: 1 });
    await run.ended;
    expect(await host.show(run.runId)).toMatchObject({
      status: 'failed',
      executions: [
        { status: 'completed' },
        { status: 'failed', error: 'The user rejected this call: Too loud.' },
      ],
    });
  });

  it('does not ask again after the user allowed it for the run', async () => {
    const steps = [command('echo again'), command('echo again', [0])];
    const run = await host.start({ plan: { steps }, config: { ...config, planApproval: false } });
    await host.gate(run.runId);
    await host.approve(run.runId, { decision: 'allow_session' });
    await run.ended;
    expect(only(run.events, 'step_approval_requested')).toHaveLength(1);
    const { executions } = await host.show(run.runId);
    expect(executions[1]?.approval).toMatchObject({ by: 'rule' });
  });
});

describe('cancelling', () => {
  it('stops running steps, skips the rest and ends the stream without a final event [AGENT-13, AGENT-30]', async () => {
    const steps = [command('echo up; exec sleep 30072'), command('echo never', [0])];
    const run = await host.start({
      plan: { steps },
      config: { ...fullAccess, planApproval: false },
    });
    await expect.poll(() => kinds(run.events)).toContain('step_start');
    const cancelled = await host.client.call(api.agent.cancel, { params: { runId: run.runId } });
    expect(cancelled).toMatchObject({ runId: run.runId, status: 'cancelled' });
    await run.ended;
    expect(kinds(run.events)).not.toContain('complete');
    expect(kinds(run.events)).not.toContain('error');
    const { executions } = await host.show(run.runId);
    expect(executions.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    const again = host.client.call(api.agent.cancel, { params: { runId: run.runId } });
    await expect(again).rejects.toMatchObject({ problem: { status: 409, code: 'run_ended' } });
  });
});
