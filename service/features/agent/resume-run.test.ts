import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const kinds = (events: readonly { event: string }[]): string[] => events.map(({ event }) => event);

describe('resuming', () => {
  const resume = (runId: string) => host.client.call(api.agent.resume, { params: { runId } });

  it('a failed run keeps completed steps and asks for approval of the plan [AGENT-17, AGENT-31]', async () => {
    const plan = {
      steps: [
        command(': > count'),
        command('echo done >> count; wc -l < count', [0]),
        { tool: 'task_output', arguments: { taskId: 'none' }, dependsOn: [1] },
      ],
    };
    const { run } = await host.finish(plan, fullAccess);
    expect(run.status).toBe('failed');
    const { runId } = await resume(run.runId);
    const next = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({ gate: 'plan', completed: [0, 1], unknown: [] });
    const edited = { ...plan, steps: [...plan.steps.slice(0, 2), command('cat count', [1])] };
    await host.approve(runId, edited);
    await next.ended;
    const done = await host.show(runId);
    expect(done).toMatchObject({ status: 'completed', parentRunId: run.runId });
    expect(done.executions).toMatchObject([
      { status: 'completed', inherited: true },
      { status: 'completed', inherited: true, result: { stdout: '1\n' } },
      { status: 'completed', result: { stdout: 'done\n' } },
    ]);
    expect(only(next.events, 'step_start').map(({ index }) => index)).toEqual([2]);
  });

  it('a failed run repeats an edited completed step and its dependents', async () => {
    const plan = {
      steps: [
        command('printf a'),
        command('printf b'),
        command('echo {{steps.0.result.stdout}} {{steps.1.result.stdout}}', [0, 1]),
        command('exit 3', [2]),
      ],
    };
    const { run } = await host.finish(plan, fullAccess);
    const { runId } = await resume(run.runId);
    const next = host.follow(runId);
    await host.gate(runId);
    await host.approve(runId, { steps: [command('echo z'), ...plan.steps.slice(1, 3)] });
    await next.ended;
    expect(only(next.events, 'step_start').map(({ index }) => index)).toEqual([0, 2]);
    expect((await host.show(runId)).executions.map(({ inherited }) => inherited ?? false)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('as a fork runs the edited plan of a completed run from the start [AGENT-18, AGENT-32]', async () => {
    const first = await host.start({
      plan: { steps: [command('echo given')] },
      config: fullAccess,
    });
    await host.gate(first.runId);
    const edited = { steps: [command('echo once >> runs'), command('wc -l < runs', [0])] };
    await host.approve(first.runId, edited);
    await first.ended;
    await expect(resume(first.runId)).rejects.toMatchObject({
      problem: { status: 409, code: 'nothing_to_resume' },
    });
    const { runId } = await host.client.call(api.agent.fork, { params: { id: first.runId } });
    const next = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({
      gate: 'plan',
      completed: [],
      unknown: [],
      plan: { steps: [{ arguments: { command: 'echo once >> runs' } }, {}] },
    });
    await host.approve(runId);
    await next.ended;
    expect(only(next.events, 'step_start').map(({ index }) => index)).toEqual([0, 1]);
    const done = await host.show(runId);
    expect(done).toMatchObject({ status: 'completed', parentRunId: first.runId });
    expect(done.executions[1]).toMatchObject({ result: { stdout: '2\n' } });
    expect(done.executions.map(({ inherited }) => inherited ?? false)).toEqual([false, false]);
  });

  it('from an earlier step keeps only the steps before it [AGENT-19, AGENT-33, AGENT-34]', async () => {
    const { run } = await host.finish(
      { steps: [command('echo a'), command('echo b', [0]), command('echo c', [1])] },
      fullAccess,
    );
    const rewind = (keepSteps: number) =>
      host.client.call(api.agent.rewind, { params: { id: run.runId }, body: { keepSteps } });
    await expect(rewind(4)).rejects.toMatchObject({
      problem: { status: 400, errors: [{ path: 'keepSteps' }] },
    });
    await expect(rewind(0)).rejects.toMatchObject({ problem: { status: 400 } });
    const { runId } = await rewind(2);
    const next = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({ completed: [0, 1], plan: { steps: [{}, {}] } });
    await host.approve(runId);
    await next.ended;
    expect(only(next.events, 'step_start')).toEqual([]);
    expect(only(next.events, 'complete')).toMatchObject([
      { results: [{ stdout: 'a\n' }, { stdout: 'b\n' }] },
    ]);
  });

  it('is possible once at a time for each run; forks are independent', async () => {
    const { run } = await host.finish({ steps: [command('exit 3')] }, fullAccess);
    const both = await Promise.allSettled([resume(run.runId), resume(run.runId)]);
    const [next] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject({
      problem: { status: 409, code: 'resumed_already', runId: next?.runId },
    });
    await host.gate(next?.runId ?? '');
    await expect(resume(run.runId)).rejects.toMatchObject({
      problem: { code: 'resumed_already', runId: next?.runId },
    });
    const fork = await host.client.call(api.agent.fork, { params: { id: run.runId } });
    for (const made of [next, fork])
      await host.client.call(api.agent.cancel, { params: { runId: made?.runId ?? '' } });
    await expect.poll(() => resume(run.runId).catch(() => null)).not.toBeNull();
  });

  it('is possible again after a refusal', async () => {
    const { run } = await host.finish({ steps: [command('echo done')] }, fullAccess);
    for (const _ of [1, 2])
      await expect(resume(run.runId)).rejects.toMatchObject({
        problem: { code: 'nothing_to_resume' },
      });
  });

  it('is refused for a live run and for an unknown one', async () => {
    const run = await host.start({ plan: { steps: [command('echo a')] } });
    for (const again of [
      resume(run.runId),
      host.client.call(api.agent.fork, { params: { id: run.runId } }),
    ])
      await expect(again).rejects.toMatchObject({ problem: { status: 409, code: 'run_running' } });
    await host.client.call(api.agent.cancel, { params: { runId: run.runId } });
    await expect(resume('nobody')).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_run' },
    });
  });
});

describe('several goals', () => {
  it('become runs of one batch, at most eight [AGENT-10, LIMIT-06]', async () => {
    host.model.script(() => ({ text: [JSON.stringify({ steps: [command('echo hi')] })] }));
    const { runIds, batchId } = await host.client.call(api.agent.batch, {
      body: { goals: ['one', 'two'], config: fullAccess },
    });
    expect(runIds).toHaveLength(2);
    for (const runId of runIds) {
      await host.gate(runId);
      expect(await host.client.call(api.agent.cancel, { params: { runId } })).toMatchObject({
        batchId,
      });
    }
    for (const goals of [[], Array<string>(9).fill('x'), ['  ']])
      await expect(
        host.client.call(api.agent.batch, { body: { goals, config: {} } }),
      ).rejects.toMatchObject({ problem: { status: 400 } });
  });

  it('in read-only mode refuse every other step before a tool runs [AGENT-45, AGENT-46]', async () => {
    host.model.script(() => ({
      text: [
        JSON.stringify({
          steps: [{ tool: 'task_output', arguments: { taskId: 'x' } }, command('touch no')],
        }),
      ],
    }));
    const body = { goals: ['look'], config: fullAccess, capabilityMode: 'read-only' as const };
    const {
      runIds: [runId = ''],
    } = await host.client.call(api.agent.batch, { body });
    const run = host.follow(runId);
    await run.ended;
    expect(run.events.at(-1)).toMatchObject({
      event: 'error',
      data: { message: expect.stringMatching(/execute_command does more than read/) as unknown },
    });
    expect(kinds(run.events)).not.toContain('step_start');
    host.model.script(() => ({
      text: [JSON.stringify({ steps: [{ tool: 'task_output', arguments: { taskId: 'x' } }] })],
    }));
    const second = await host.client.call(api.agent.batch, { body });
    const [id = ''] = second.runIds;
    await host.gate(id);
    await expect(host.approve(id, { steps: [command('touch no')] })).rejects.toMatchObject({
      problem: { status: 400, code: 'invalid_plan' },
    });
    await host.client.call(api.agent.cancel, { params: { runId: id } });
  });
});

describe('the list of runs', () => {
  it('has the newest first, can be searched and is paged by row [AGENT-14, AGENT-15, AGENT-16]', async () => {
    const plan = { steps: [command('echo x')] };
    const ids: string[] = [];
    for (const goal of ['Find the ÖRSTED 100%_file', 'Second', 'Third']) {
      const run = await host.start({ goal, plan, config: { ...fullAccess, planApproval: false } });
      await run.ended;
      ids.unshift(run.runId);
    }
    const list = (query: object) => host.client.call(api.agent.runs, { query });
    expect((await list({ limit: 3 })).map(({ runId }) => runId)).toEqual(ids);
    expect((await list({ q: 'örsted 100%_' })).map(({ runId }) => runId)).toEqual([ids[2]]);
    expect(await list({ q: '100_%' })).toEqual([]);
    expect((await list({ limit: 1, before: ids[0] })).map(({ runId }) => runId)).toEqual([ids[1]]);
    await expect(host.show('nobody')).rejects.toMatchObject({ problem: { status: 404 } });
  });
});

it('a fork from a step repeats it with what depends on it, and keeps the other results', async () => {
  const steps = [
    command('echo first'),
    command('echo second'),
    command('echo {{steps.1.result.stdout}}', [1]),
    command('echo other', [0]),
  ];
  const { run } = await host.finish({ steps }, fullAccess);
  const fork = (from: number) =>
    host.client.call(api.agent.fork, { params: { id: run.runId }, body: { from } });
  const { runId } = await fork(1);
  const next = host.follow(runId);
  expect(await host.gate(runId)).toMatchObject({ gate: 'plan', completed: [0, 3] });
  await host.approve(runId);
  await next.ended;
  const { executions, parentRunId, status } = await host.show(runId);
  expect(status).toBe('completed');
  expect(parentRunId).toBe(run.runId);
  expect(executions.map(({ inherited = false }) => inherited)).toEqual([true, false, false, true]);
  await expect(fork(4)).rejects.toMatchObject({ problem: { status: 400, code: 'unknown_step' } });
});
