import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { api, type ChatRequest } from '../../../contract/index.ts';
import { type AgentHost, command, startAgentHost } from '../../../testing/agent-host.ts';
import { only } from '../../../testing/chat-host.ts';

let host: AgentHost;
beforeAll(async () => {
  host = await startAgentHost();
});
afterAll(() => host.close());
afterEach(() => vi.useRealTimers());

type Mode = NonNullable<ChatRequest['permissionMode']>;

async function store(steps: object[], name = 'Greets', published = true): Promise<string> {
  const inputSchema = { type: 'object', properties: { who: { type: 'string' } } };
  const body = { name, inputSchema, plan: { steps } };
  const { id } = await host.client.call(api.workflows.create, { body: body as never });
  const params = { workflowId: id };
  if (published)
    await host.client.call(api.workflows.publish, { params, body: { published: true } });
  return id;
}

/** Makes the calls of one message and returns the results that the model receives. */
async function use(calls: { name: string; args: object }[], permissionMode: Mode = 'full-access') {
  host.model.requests.length = 0;
  const toolCalls = calls.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }));
  host.model.script((_, index) => (index === 0 ? { toolCalls } : { text: ['Done.'] }));
  const messages = [{ role: 'user' as const, content: 'go' }];
  const { streamId, events, ended } = await host.startTurn({ messages, permissionMode });
  if (permissionMode !== 'full-access') {
    await expect.poll(() => only(events, 'approval_requested')).toHaveLength(1);
    const [{ callId = '' } = {}] = only(events, 'approval_requested') as { callId?: string }[];
    const body = { callId, decision: 'allow_once' as const };
    await host.client.call(api.chat.approve, { params: { streamId }, body });
  }
  await ended;
  const results = only(events, 'tool').filter(({ phase }) => phase === 'result');
  return results.map(({ success, output }) => {
    const text = String(output);
    const result = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { success, text, result };
  });
}

const submission = (workflowId: string, inputs?: object) => ({
  name: 'task_submit_workflow',
  args: { workflowId, ...(inputs && { inputs }) },
});

async function submit(workflowId: string, inputs = {}, mode: Mode = 'full-access') {
  const [reply] = await use([submission(workflowId, inputs)], mode);
  expect(reply).toMatchObject({ success: true });
  return reply?.result as { taskId: string; runId: string };
}

const tasks = () => host.client.call(api.tasks.list);
const output = (taskId: string) => host.client.call(api.tasks.output, { params: { taskId } });
const kill = (taskId: string) => host.client.call(api.tasks.kill, { params: { taskId } });
const textMatching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;

describe('a background workflow', () => {
  it('continues after its call returned, and can be waited for and read by the model [TASK-01]', async () => {
    const id = await store([
      command('until [ -e greet ]; do sleep 0.02; done; printf "Hello %s" {{inputs.who}}'),
    ]);
    const { taskId, runId } = await submit(id, { who: 'Ada' });
    const running = { taskId, kind: 'workflow', title: 'Greets', status: 'running', runId };
    expect((await tasks()).at(-1)).toMatchObject(running);
    await expect
      .poll(async () => JSON.parse((await output(taskId)).stdout) as unknown)
      .toEqual({ runId, status: 'running' });
    const [, waited, read] = await use([
      { name: 'execute_command', args: { command: 'touch greet' } },
      { name: 'task_wait', args: { taskIds: [taskId], timeoutMs: 20_000 } },
      { name: 'task_output', args: { taskId, timeoutMs: 20_000 } },
    ]);
    expect(waited?.result['tasks']).toHaveLength(1);
    expect(read?.result).toMatchObject({
      ...running,
      status: 'completed',
      exitCode: null,
      stderr: '',
      finishedAt: expect.any(String) as unknown,
    });
    expect(JSON.parse(String(read?.result['stdout']))).toMatchObject({
      runId,
      status: 'completed',
      summary: '1 of 1 steps done.',
      results: [{ stdout: 'Hello Ada' }],
    });
    expect(await host.show(runId)).toMatchObject({
      status: 'completed',
      workflowId: id,
      config: { permissionMode: 'full-access', planApproval: false },
    });
  });

  it('that fails reports why, and long output is cut to head and tail', async () => {
    const failing = await submit(await store([command('exit 3', [], { title: 'Breaks' })]));
    await expect
      .poll(() => output(failing.taskId))
      .toMatchObject({
        status: 'failed',
        stderr: textMatching(/Breaks.*failed/),
      });
    const long = 'head -c 60000 /dev/zero | tr "\\0" x; echo; echo the end';
    const talking = await submit(await store([command(long), command(long)]));
    await expect
      .poll(() => output(talking.taskId))
      .toMatchObject({
        status: 'completed',
        stdoutTruncated: true,
        truncated: true,
        stdout: textMatching(/^\{"runId":[^]*characters omitted[^]*the end/),
      });
  });

  it('is cancelled together with its processes by the model and over the API [TASK-04]', async () => {
    const id = await store([command('echo $$ > pid; exec sleep 30078'), command('echo no', [0])]);
    for (const end of [
      (taskId: string) => use([{ name: 'task_kill', args: { taskId } }]),
      (taskId: string) => kill(taskId),
    ]) {
      const { taskId, runId } = await submit(id);
      await expect.poll(async () => (await host.show(runId)).executions[0]?.status).toBe('running');
      await end(taskId);
      expect((await tasks()).at(-1)).toMatchObject({ taskId, status: 'killed', runId });
      expect(await host.show(runId)).toMatchObject({
        status: 'cancelled',
        executions: [{ status: 'cancelled' }, {}],
      });
      const ended = await output(taskId);
      expect(JSON.parse(ended.stdout)).toMatchObject({ runId, status: 'cancelled' });
      await kill(taskId);
      expect(await output(taskId)).toEqual(ended);
    }
    const findProcess = { command: 'pgrep -f "sleep 3007[8]" || echo none' };
    const [reply] = await use([{ name: 'execute_command', args: findProcess }]);
    expect(reply?.result['stdout']).toBe('none\n');
  });

  it('counts as killed when the user cancels its run', async () => {
    const { taskId, runId } = await submit(await store([command('exec sleep 30079')]));
    await host.client.call(api.agent.cancel, { params: { runId } });
    await expect.poll(() => output(taskId)).toMatchObject({ status: 'killed' });
  });

  it('runs in the mode of its call, and its approvals wait in the run', async () => {
    const id = await store([command('echo asked')]);
    const { taskId, runId } = await submit(id, {}, 'ask-for-approval');
    const run = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({ gate: 'step', index: 0 });
    expect(JSON.parse((await output(taskId)).stdout)).toEqual({
      runId,
      status: 'awaiting_step_approval',
    });
    await host.approve(runId);
    await run.ended;
    expect(only(run.events, 'step_approval_requested')).toHaveLength(1);
    expect(only(run.events, 'plan_approval_requested')).toEqual([]);
    await expect.poll(() => output(taskId)).toMatchObject({ status: 'completed' });
  });

  it('fails with a notification if no approval is given within ten minutes, however often its task is read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const id = await store([command('rm -rf never')], 'Waits for you');
    const { taskId, runId } = await submit(id);
    const currentOutput = async () => JSON.parse((await output(taskId)).stdout) as unknown;
    await expect.poll(currentOutput).toMatchObject({ status: 'awaiting_step_approval' });
    for (let minute = 0; minute < 11; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      await output(taskId);
    }
    await expect
      .poll(() => output(taskId))
      .toMatchObject({
        status: 'failed',
        stderr: textMatching(/it was not approved within ten minutes/),
      });
    expect(await host.show(runId)).toMatchObject({ status: 'failed' });
    const [latest] = await host.client.call(api.notifications.list, { query: {} });
    expect(latest).toMatchObject({ title: 'Failed: Waits for you', link: `/agent/${runId}` });
  });

  it('that cannot be run is refused with the workflows that can, and starts nothing', async () => {
    const published = await store([command('echo {{inputs.who}}')], 'Known');
    const draft = await store([command('echo no')], 'Draft', false);
    const runs = () => host.client.call(api.agent.runs, { query: {} });
    const before = [await runs(), await tasks()];
    const replies = await use([
      submission('nobody'),
      submission(draft),
      submission(published, { who: 5 }),
      submission(published, { more: 1 }),
      { name: 'task_submit_workflow', args: { inputs: {} } },
    ]);
    expect(replies.map(({ success }) => success)).toEqual(Array.from(replies, () => false));
    expect(replies.map(({ text }) => text)).toEqual([
      textMatching(new RegExp(`no workflow nobody.*${published} \\(Known\\)`)),
      textMatching(/“Draft” is not published/),
      textMatching(/inputs\.who/),
      textMatching(/inputs\.more/),
      textMatching(/workflowId/),
    ]);
    expect([await runs(), await tasks()]).toEqual(before);
  });

  it('is one of at most twenty running ones, and of the last fifty finished ones', async () => {
    const delayed = await store([{ tool: 'delay', arguments: { seconds: 3_600 } }]);
    const all = await use(Array.from({ length: 21 }, () => submission(delayed)));
    expect(all.filter(({ success }) => success === true)).toHaveLength(20);
    expect(all.at(-1)?.text).toMatch(/20 workflows are already running in the background/);
    for (const { result } of all.slice(0, 20)) await kill(String(result['taskId']));
    const quick = await store([{ tool: 'delay', arguments: { seconds: 0 } }]);
    for (const count of [20, 20]) {
      const started = await use(Array.from({ length: count }, () => submission(quick)));
      const taskIds = started.map(({ result }) => String(result['taskId']));
      await use([{ name: 'task_wait', args: { taskIds, timeoutMs: 20_000 } }]);
    }
    const retained = await tasks();
    expect(retained).toHaveLength(50);
    expect(retained.at(-1)).toMatchObject({ status: 'completed' });
    expect(retained.map(({ startedAt }) => startedAt)).toEqual(
      retained.map(({ startedAt }) => startedAt).sort(),
    );
  });
});

it('a background task is forgotten when the host stops, and its run is kept', async () => {
  const first = await startAgentHost();
  const { workDirectory } = first;
  const before = host;
  host = first;
  const { runId } = await submit(await store([command('exec sleep 30080')]));
  await first.stop();
  host = await startAgentHost({ workDirectory });
  try {
    expect(await tasks()).toEqual([]);
    expect(await host.show(runId)).toMatchObject({ status: 'interrupted' });
  } finally {
    await host.close();
    await first.model.close();
    host = before;
  }
});
