import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { installFileTools } from '../../testing/file-tools.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost({ sandboxPath: process.env['PATH'] ?? '' }));

beforeAll(async () => {
  await installFileTools(host);
});

const store = async (plan: object, properties: object = {}, more: object = {}): Promise<string> => {
  const body = { name: 'Tried', inputSchema: { type: 'object', properties, ...more }, plan };
  const { id } = await host.client.call(api.workflows.create, { body: body as never });
  return id;
};
const runToEnd = async (workflowId: string, body: object = {}) => {
  const request = { inputs: {}, config: fullAccess, ...body };
  const { runId } = await host.client.call(api.workflows.run, {
    params: { workflowId },
    body: request,
  });
  const run = host.follow(runId);
  await run.ended;
  return { run: await host.show(runId), events: run.events };
};

describe('a run of a workflow', () => {
  it('inserts its inputs into goal and arguments with their types, without plan approval [WORKFLOW-05, WORKFLOW-06, WORKFLOW-07, WORKFLOW-08, WORKFLOW-09, WORKFLOW-20, WORKFLOW-26, WORKFLOW-27]', async () => {
    const id = await store(
      {
        goal: 'Greet {{inputs.who}}',
        steps: [
          { ...command('printf "%s" "{{inputs.who}} {{inputs.count}}"'), id: 'greet' },
          {
            ...command('echo {{node.greet.result.stdout}}', [0]),
            arguments: {
              command: 'echo {{node.greet.result.stdout}}',
              timeoutSeconds: '{{inputs.count}}',
            },
          },
          command('echo {{steps.0.result.stdout}}', [0]),
        ],
      },
      { who: { type: 'string' }, count: { type: 'integer', default: 7 } },
      { required: ['who'] },
    );
    const { run, events } = await runToEnd(id, { inputs: { who: 'Zoë' } });
    expect(run).toMatchObject({ goal: 'Greet Zoë', status: 'completed', workflowId: id });
    expect(run.executions.map(({ result }) => (result as { stdout: string }).stdout)).toEqual([
      'Zoë 7',
      'Zoë 7\n',
      'Zoë 7\n',
    ]);
    expect(only(events, 'plan_approval_requested')).toEqual([]);
    const starts = events.filter(
      ({ event }) => event === 'step_start' || event === 'step_complete',
    );
    expect(starts.slice(0, 2).map(({ data }) => data['index'])).toEqual([0, 0]);
    const hostile = await runToEnd(id, { inputs: { who: '{{steps.0.result}} $(id)' } });
    expect(hostile.run.goal).toBe('Greet {{steps.0.result}} $(id)');
  });

  it('is refused without required inputs, and starts nothing [WORKFLOW-30]', async () => {
    const id = await store(
      { steps: [command('echo {{inputs.who}}')] },
      { who: { type: 'string' } },
      { required: ['who'] },
    );
    const before = await host.client.call(api.agent.runs, { query: {} });
    for (const [inputs, path] of [
      [{}, 'inputs.who'],
      [{ who: 5 }, 'inputs.who'],
      [{ who: 'x', more: 1 }, 'inputs.more'],
    ] as const)
      await expect(runToEnd(id, { inputs })).rejects.toMatchObject({
        problem: { status: 422, code: 'invalid_inputs', errors: [{ path }] },
      });
    await expect(runToEnd('nobody')).rejects.toMatchObject({ problem: { status: 404 } });
    expect(await host.client.call(api.agent.runs, { query: {} })).toEqual(before);
  });

  it('requires the approval of each step [TOOL-19, WORKFLOW-25]', async () => {
    const confirm = { tool: 'confirm_send', arguments: { title: 'Mail', summary: 'To all.' } };
    const id = await store({ steps: [command('echo asked'), { ...confirm, dependsOn: [0] }] });
    const { runId } = await host.client.call(api.workflows.run, {
      params: { workflowId: id },
      body: { config: { permissionMode: 'ask-for-approval' } },
    });
    const run = host.follow(runId);
    expect(await host.gate(runId)).toMatchObject({ gate: 'step', index: 0 });
    await host.approve(runId);
    await expect
      .poll(async () => (await host.show(runId)).gates)
      .toMatchObject([{ gate: 'step', index: 1, tool: 'confirm_send', effect: 'external' }]);
    await host.approve(runId);
    await run.ended;
    expect((await host.show(runId)).executions[1]?.result).toEqual({ confirmed: true });
  });

  it('grants the plugin of each step the chosen file and a directory created by the host [WORKFLOW-10, WORKFLOW-11, WORKFLOW-12, AGENT-09]', async () => {
    const id = await store(
      {
        steps: [
          { tool: 'read_it', arguments: { path: '@file:report' } },
          { tool: 'say_it', arguments: { path: '{{inputs.space}}', text: 'all' } },
          { tool: 'execute_command', arguments: { command: 'echo {{inputs.report}}' } },
        ],
      },
      {
        report: { type: 'string', format: 'host-file' },
        space: { type: 'string', 'x-host-auto': 'shared-directory' },
      },
      { required: ['report'] },
    );
    const files = [{ blob: new Blob(['numbers']), name: 'report.txt' }];
    const { uploadId } = await host.client.call(api.chat.upload, { files, fields: {} });
    const { run } = await runToEnd(id, { files: [{ name: 'report', uploadId }] });
    expect(run.executions[0]).toMatchObject({ status: 'completed', result: { done: 'numbers' } });
    expect(JSON.stringify(run.executions[1]?.result)).toMatch(/shared|space/);
    expect(run.executions[2]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/only be passed to tools of plugins/) as unknown,
    });
    const withUpload = await runToEnd(id, { inputs: { report: { uploadId } } });
    expect(withUpload.run.executions[0]).toMatchObject({ result: { done: 'numbers' } });
    await expect(runToEnd(id)).rejects.toMatchObject({ problem: { code: 'invalid_inputs' } });
    await expect(runToEnd(id, { inputs: { report: 'no file' } })).rejects.toMatchObject({
      problem: { code: 'invalid_inputs', errors: [{ path: 'inputs.report' }] },
    });
  });
});
