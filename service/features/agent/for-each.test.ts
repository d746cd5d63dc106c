import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api, type RunDetails } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const each = (line: string, forEach: unknown, more: object = {}) =>
  command(line, [], { forEach, ...more });
const elementsOf = ({ executions }: RunDetails, index = 0) =>
  executions.filter((one) => one.index === index && one.element !== undefined);
const statusesOf = (run: RunDetails, index = 0): string[] =>
  elementsOf(run, index).map(({ status }) => status);

describe('a step for each element of a list', () => {
  it('calls its tool once per element and returns the list of results', async () => {
    const list = command('printf "[1,2,3]"');
    const read = {
      tool: 'json_format',
      arguments: { json: '{{steps.0.result.stdout}}', operation: 'pretty' },
      dependsOn: [0],
    };
    const step = command('printf "%s-%s" {{item}} {{index}}', [1], {
      forEach: '{{steps.1.result.value}}',
    });
    const after = command('echo {{steps.2.result[1].stdout}} {{last.result[2].stdout}}', [2]);
    const { events, run } = await host.finish({ steps: [list, read, step, after] }, fullAccess);
    expect(run.status, run.error).toBe('completed');
    const results = [{ stdout: '1-0' }, { stdout: '2-1' }, { stdout: '3-2' }];
    expect(run.executions[2]).toMatchObject({ elementCount: 3, result: results });
    expect(elementsOf(run, 2)).toMatchObject(
      results.map((result, element) => ({ element, status: 'completed', attempt: 1, result })),
    );
    expect(run.executions[3]).toMatchObject({ result: { stdout: '2-1 3-2\n' } });
    const begun = only(events, 'step_start').filter(({ index }) => index === 2);
    expect(begun.map(({ element }) => element ?? 'whole')).toEqual(['whole', 0, 1, 2]);
    expect(begun[0]).toMatchObject({ elementCount: 3 });
    const [complete] = only(events, 'complete');
    expect(complete?.['results']).toMatchObject([{}, {}, results, {}]);
    const whole = only(events, 'step_complete').find(
      ({ index, element }) => index === 2 && element === undefined,
    );
    expect(whole).toMatchObject({ success: true, result: results });
  });

  it('completes at once with an empty list if there are no elements', async () => {
    const { run } = await host.finish({ steps: [each('echo {{item}}', [])] }, fullAccess);
    expect(run).toMatchObject({ status: 'completed', executions: [{ result: [] }] });
    expect(run.executions).toHaveLength(1);
  });

  it('runs as many elements in parallel as the concurrency of the run allows', async () => {
    // Each one continues only once the other has started.
    const meet =
      'touch {{item}}; for try in $(seq 400); do [ -e a ] && [ -e b ] && exit 0; sleep 0.05; done; exit 1';
    const { run } = await host.finish(
      { steps: [each(meet, ['a', 'b'])] },
      { ...fullAccess, concurrency: 2 },
    );
    expect(run.status, run.error).toBe('completed');
  });

  it('leaves braces in the arguments of other steps unchanged', async () => {
    const step = {
      tool: 'text_template',
      arguments: { template: 'Hi {{item}}', values: { item: 'there' } },
    };
    const { run } = await host.finish({ steps: [step] }, fullAccess);
    expect(run.executions[0]).toMatchObject({ result: { text: 'Hi there' } });
  });
});

describe('an element that fails', () => {
  it('keeps elements that have not started from starting, and fails the step', async () => {
    const { run } = await host.finish(
      { steps: [each('[ {{item}} != b ]', ['a', 'b', 'c', 'd'])] },
      { ...fullAccess, concurrency: 1 },
    );
    expect(run.status).toBe('failed');
    expect(run.executions[0]).toMatchObject({ status: 'failed' });
    expect(run.executions[0]?.error).toMatch(/^Element 2: /);
    expect(statusesOf(run)).toEqual(['completed', 'failed', 'skipped', 'skipped']);
  });

  it('leaves null in the list if the step continues on failure', async () => {
    const { run } = await host.finish(
      {
        steps: [
          each('[ {{item}} != b ] && echo {{item}}', ['a', 'b', 'c'], { onFailure: 'continue' }),
        ],
      },
      fullAccess,
    );
    expect(run.status).toBe('completed');
    expect(run.executions[0]).toMatchObject({
      status: 'completed',
      result: [{ stdout: 'a\n' }, null, { stdout: 'c\n' }],
    });
    expect(statusesOf(run)).toEqual(['completed', 'failed', 'completed']);
  });

  it('is retried independently of the others', async () => {
    const line = 'echo x >> tries-{{item}}; [ $(wc -l < tries-{{item}}) -ge {{item}} ]';
    const retry = { maxAttempts: 3, delaySeconds: 0 };
    const { run } = await host.finish({ steps: [each(line, [1, 3, 2], { retry })] }, fullAccess);
    expect(run.status, run.error).toBe('completed');
    expect(elementsOf(run).map(({ attempt }) => attempt)).toEqual([1, 3, 2]);
  });
});

describe('a list', () => {
  it('of more than a thousand elements fails the step before any element runs', async () => {
    const made = {
      tool: 'json_format',
      arguments: { json: JSON.stringify(Array(1_001).fill(0)), operation: 'pretty' },
    };
    const byReference = command('touch never', [0], { forEach: 'steps.0.result.value' });
    const literal = each('touch never', Array(1_001).fill(0));
    for (const steps of [[made, byReference], [literal]]) {
      const { events, run } = await host.finish({ steps }, fullAccess);
      const index = steps.length - 1;
      expect(run.executions[index]).toMatchObject({ status: 'failed' });
      expect(run.executions[index]?.error).toMatch(/1001 elements, and 1000 are allowed/);
      expect(elementsOf(run, index)).toEqual([]);
      expect(only(events, 'step_start').some((one) => one['index'] === index)).toBe(false);
    }
  });

  it('reference that does not resolve to a list fails the step', async () => {
    const { run } = await host.finish(
      { steps: [command('echo text'), command('true', [0], { forEach: 'steps.0.result.stdout' })] },
      fullAccess,
    );
    expect(run.executions[1]).toMatchObject({ status: 'failed' });
    expect(run.executions[1]?.error).toMatch(/not a list/);
  });

  it('is given literally or by reference to an earlier step, and its elements are used only in arguments', async () => {
    const refused = async (step: object, path: string): Promise<void> => {
      const workflow = { steps: [command('true'), { ...command('true'), ...step }] };
      await expect(
        host.client.call(api.agent.run, { body: { goal: 'x', config: {}, workflow } }),
      ).rejects.toMatchObject({ problem: { status: 400, errors: [{ path: `steps.1.${path}` }] } });
    };
    await refused({ forEach: 3 }, 'forEach');
    await refused({ forEach: 'a, b' }, 'forEach');
    await refused({ forEach: '{{item}}' }, 'forEach');
    await refused({ forEach: '{{steps.0.result}}' }, 'forEach');
    await refused({ forEach: [1], arguments: { command: '{{item..x}}' } }, 'arguments.command');
  });
});

describe('the approval gate', () => {
  it('opens for each element, and a single element can be decided by its number', async () => {
    const step = each('echo {{item}} >> asked', ['a', 'b', 'c'], { onFailure: 'continue' });
    const run = await host.start({
      plan: { steps: [step] },
      config: { permissionMode: 'ask-for-approval', planApproval: false },
    });
    const gates = async () => (await host.show(run.runId)).gates;
    await expect.poll(async () => (await gates()).length).toBe(3);
    expect(await gates()).toMatchObject(
      ['a', 'b', 'c'].map((item, element) => ({
        index: 0,
        element,
        arguments: { command: `echo ${item} >> asked` },
      })),
    );
    await expect(host.approve(run.runId, {}, { index: 0, element: 7 })).rejects.toMatchObject({
      problem: { status: 409, code: 'nothing_waits' },
    });
    await host.approve(run.runId, { decision: 'reject', index: 0, element: 1 });
    await host.approve(run.runId, {}, { element: 2 });
    await host.approve(run.runId);
    await run.ended;
    const ended = await host.show(run.runId);
    expect(statusesOf(ended)).toEqual(['completed', 'failed', 'completed']);
    expect(ended.executions[0]).toMatchObject({ status: 'completed', result: [{}, null, {}] });
  });

  it('closes for pending elements when another element fails', async () => {
    const run = await host.start({
      plan: { steps: [each('true {{item}}', ['a', 'b'])] },
      config: { permissionMode: 'ask-for-approval', planApproval: false },
    });
    await expect.poll(async () => (await host.show(run.runId)).gates.length).toBe(2);
    await host.approve(run.runId, { decision: 'reject', element: 1 });
    await run.ended;
    const ended = await host.show(run.runId);
    expect(ended).toMatchObject({ status: 'failed', gates: [] });
    expect(statusesOf(ended)).toEqual(['skipped', 'failed']);
  });
});

describe('a resumed run', () => {
  const resume = (runId: string) => host.client.call(api.agent.resume, { params: { runId } });
  const linesOf = async (file: string): Promise<string[]> =>
    (await readFile(join(host.paths.workspace, file), 'utf8')).trim().split('\n');

  it('runs only the elements that are not completed, and the gate lists the completed ones', async () => {
    const line = 'echo {{item}} >> once; [ {{item}} != c ] || [ -e may-go-on ]';
    const plan = { steps: [each(line, ['a', 'b', 'c', 'd']), command('wc -l < once', [0])] };
    const { run } = await host.finish(plan, { ...fullAccess, concurrency: 1 });
    expect(statusesOf(run)).toEqual(['completed', 'completed', 'failed', 'skipped']);
    await host.finish({ steps: [command('touch may-go-on')] }, fullAccess);
    const { runId } = await resume(run.runId);
    const next = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({
      gate: 'plan',
      completed: [],
      completedElements: [{ index: 0, elements: [0, 1], elementCount: 4 }],
    });
    await host.approve(runId);
    await next.ended;
    const done = await host.show(runId);
    expect(done.status, done.error).toBe('completed');
    expect(await linesOf('once')).toEqual(['a', 'b', 'c', 'c', 'd']);
    expect(elementsOf(done).map(({ inherited = false }) => inherited)).toEqual([
      ...[true, true, false, false],
    ]);
    expect(done.executions[0]?.result).toHaveLength(4);
  });

  it('keeps the result list of a completed step for the steps after it', async () => {
    const plan = {
      steps: [
        each('echo {{item}}', ['a', 'b']),
        command('[ -e other ] && echo {{steps.0.result[1].stdout}}', [0]),
      ],
    };
    const { run } = await host.finish(plan, fullAccess);
    expect(run.status).toBe('failed');
    await host.finish({ steps: [command('touch other')] }, fullAccess);
    const { runId } = await resume(run.runId);
    const next = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({ completed: [0] });
    await host.approve(runId);
    await next.ended;
    const done = await host.show(runId);
    expect(done.executions[0]?.result).toMatchObject([{ stdout: 'a\n' }, { stdout: 'b\n' }]);
    expect(done.executions[1]).toMatchObject({ result: { stdout: 'b\n' } });
    expect(only(next.events, 'step_start').map(({ index }) => index)).toEqual([1]);
  });

  it('repeats all elements of a step that was edited', async () => {
    const plan = { steps: [each('[ {{item}} != b ]', ['a', 'b'])] };
    const { run } = await host.finish(plan, { ...fullAccess, concurrency: 1 });
    const { runId } = await resume(run.runId);
    const next = host.follow(runId);
    await host.gate(runId);
    await host.approve(runId, { steps: [each('echo {{item}}', ['a', 'b', 'c'])] });
    await next.ended;
    const done = await host.show(runId);
    expect(statusesOf(done)).toEqual(['completed', 'completed', 'completed']);
    expect(elementsOf(done).some(({ inherited }) => inherited)).toBe(false);
  });
});
