import { afterEach, describe, expect, it } from 'vitest';
import { api, type ChatRequest } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());
afterEach(async () => {
  const permissionRules = { deny: '', ask: '', allow: '' };
  await host.client.call(api.settings.put, { body: { permissionRules } });
});

const { workflows, conversations } = api;
const greeting = command('printf "Hello %s" {{inputs.who}}', [], { title: 'Says hello' });
const who = { who: { type: 'string', description: 'Whom to greet.' } };

async function store(plan: object = { steps: [greeting] }, more: object = {}): Promise<string> {
  const inputSchema = { type: 'object', properties: who, required: ['who'] };
  const body = { name: 'Greets', description: 'Says a word.', inputSchema, plan, ...more };
  const { id } = await host.client.call(workflows.create, { body: body as never });
  return id;
}

const call = { name: 'run_current_flow', args: { who: 'Ada' } as object };

interface TurnOptions extends Partial<ChatRequest> {
  /** Called while the model decides to call the tool. */
  meanwhile?: () => Promise<unknown>;
  decision?: 'allow_once' | 'allow_session' | 'allow_always' | 'reject';
}

/** Runs a turn whose model makes this call once, and returns the outcome. */
async function turn(args: object, { meanwhile, decision, ...request }: TurnOptions) {
  host.model.requests.length = 0;
  host.model.script((_, index) => {
    if (index > 0) return { text: ['Done.'] };
    const toolCalls = [{ name: call.name, arguments: JSON.stringify(args) }];
    return { toolCalls, ...(meanwhile ? { until: meanwhile() } : {}) };
  });
  const { streamId, events, ended } = await host.startTurn({
    messages: [{ role: 'user', content: 'Run it' }],
    permissionMode: 'full-access',
    ...request,
  });
  if (decision) {
    await expect.poll(() => only(events, 'approval_requested')).toHaveLength(1);
    const [{ callId }] = only(events, 'approval_requested') as [{ callId: string }];
    const body = { callId, decision };
    await host.client.call(api.chat.approve, { params: { streamId }, body });
  }
  await ended;
  const [result] = only(events, 'tool').filter(({ phase }) => phase === 'result');
  const output = String(result?.['output']);
  return { success: result?.['success'], output, asked: only(events, 'approval_requested') };
}

const runOf = ({ output }: { output: string }) =>
  JSON.parse(output) as { runId: string; summary: string; results: unknown[] };
const offered = (): string[] =>
  (host.model.requests[0]?.tools ?? []).map((one) => one.function.name);
const system = (): string => String(host.model.requests[0]?.messages[0]?.content);

describe('a turn that is bound to a workflow', () => {
  it('has a tool that runs it, as a draft or published, and its description [CHAT-21, CHAT-22]', async () => {
    const id = await store();
    for (const published of [false, true]) {
      await host.client.call(workflows.publish, {
        params: { workflowId: id },
        body: { published },
      });
      const done = await turn(call.args, { workflowId: id });
      expect(done).toMatchObject({ success: true, asked: [] });
      const { runId, results } = runOf(done);
      expect(results).toMatchObject([{ stdout: 'Hello Ada' }]);
      expect(await host.show(runId)).toMatchObject({ workflowId: id, status: 'completed' });
      expect(offered()).toContain('run_current_flow');
      const [tool] = (host.model.requests[0]?.tools ?? []).filter(
        (one) => one.function.name === 'run_current_flow',
      );
      expect(tool?.function).toMatchObject({
        description: 'Runs the workflow “Greets”, which the user has open. Says a word.',
        parameters: { type: 'object', properties: who, required: ['who'] },
      });
      const descriptions = ['"Greets"', published ? 'published' : 'a draft', '"Says a word."'];
      const lines = [
        '- "who": "string", required, "Whom to greet."',
        '- 0: "Says hello", execute_command',
      ];
      for (const expected of [...descriptions, ...lines]) expect(system()).toContain(expected);
    }
  });

  it('does not add that tool to other turns or to the catalog', async () => {
    const id = await store();
    const { output, success } = await turn(call.args, {});
    expect({ output, success }).toMatchObject({
      success: false,
      output: expect.stringMatching(/no tool run_current_flow/) as unknown,
    });
    expect(offered()).not.toContain('run_current_flow');
    expect(system()).not.toContain('Greets');
    let names: string[] = [];
    const meanwhile = async (): Promise<void> => {
      names = (await host.client.call(api.tools.list)).map(({ name }) => name);
    };
    expect(await turn(call.args, { workflowId: id, meanwhile })).toMatchObject({ success: true });
    expect(names).toContain('task_submit_workflow');
    expect(names).not.toContain('run_current_flow');
  });

  it('runs it under the permissions of the turn: one approval covers everything that only the mode requires', async () => {
    const id = await store();
    const workflowId = id;
    const ask = { workflowId, permissionMode: 'ask-for-approval' } as const;
    const { asked, success } = await turn(call.args, { ...ask, decision: 'allow_once' });
    expect(success).toBe(true);
    expect(asked).toMatchObject([
      {
        tool: 'run_current_flow',
        effect: 'external',
        suggestedRules: [`Tool(run_workflow_${id})`],
      },
    ]);
    const rejected = await turn(call.args, { ...ask, decision: 'reject' });
    expect(rejected).toMatchObject({ success: false });
    const confirm = { tool: 'confirm_send', arguments: { title: 'Mail', summary: 'To all.' } };
    const asking = await store({ steps: [confirm] });
    const allowed = { ...ask, workflowId: asking, decision: 'allow_once' } as const;
    expect(await turn(call.args, allowed)).toMatchObject({
      success: false,
      output: expect.stringMatching(/Run it yourself/) as unknown,
    });
  });

  it('applies rules for the workflow as a tool, and permanently allows only that workflow', async () => {
    const [one, other] = [await store(), await store()];
    const ask = { permissionMode: 'ask-for-approval', workflowId: one } as const;
    await turn(call.args, { ...ask, decision: 'allow_always' });
    const { permissionRules } = await host.client.call(api.settings.get);
    expect(permissionRules.allow).toBe(`Tool(run_workflow_${one})`);
    expect(await turn(call.args, ask)).toMatchObject({ success: true, asked: [] });
    const second = await turn(call.args, { ...ask, workflowId: other, decision: 'reject' });
    expect(second.asked).toHaveLength(1);
    for (const deny of [`Tool(run_workflow_${one})`, 'Tool(run_current_flow)']) {
      const body = { permissionRules: { deny, ask: '', allow: '' } };
      await host.client.call(api.settings.put, { body });
      expect(await turn(call.args, { workflowId: one })).toMatchObject({
        success: false,
        output: expect.stringContaining(deny) as unknown,
      });
    }
  });

  it('runs the currently stored version, and reports if it was deleted', async () => {
    const id = await store();
    const params = { workflowId: id };
    const properties = { whom: { type: 'string' } };
    const changed = {
      inputSchema: { type: 'object', properties, required: ['whom'] },
      plan: { steps: [command('printf "Bye %s" {{inputs.whom}}')] },
    };
    const update = () => host.client.call(workflows.update, { params, body: changed });
    const done = await turn({ whom: 'Zoë' }, { workflowId: id, meanwhile: update });
    expect(runOf(done).results).toMatchObject([{ stdout: 'Bye Zoë' }]);
    const bad = await turn(call.args, { workflowId: id });
    expect(bad).toMatchObject({ success: false, output: expect.stringMatching(/whom/) as unknown });
    const remove = () => host.client.call(workflows.remove, { params });
    const removed = await turn({ whom: 'Zoë' }, { workflowId: id, meanwhile: remove });
    expect(removed).toMatchObject({
      success: false,
      output: expect.stringMatching(/was removed/) as unknown,
    });
    await expect(turn({}, { workflowId: id })).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_workflow' },
    });
  });

  it('reports what an incomplete draft lacks, and what a plan can no longer do', async () => {
    const graph = {
      nodes: [{ id: 'a', data: { nodeType: 'nobody:knows', inputs: {} } }],
      edges: [],
    };
    const draft = await store(undefined, { plan: undefined, graph, draft: true });
    const { success, output } = await turn({}, { workflowId: draft });
    expect({ success, output }).toEqual({
      success: false,
      output: expect.stringMatching(/not valid.*nobody:knows/) as unknown,
    });
    expect(system()).toContain('not whole yet');
    const lost = await store({ steps: [{ tool: 'plugin_that_went', arguments: {} }] });
    expect(await turn(call.args, { workflowId: lost })).toMatchObject({
      success: false,
      output: expect.stringMatching(/no tool plugin_that_went/) as unknown,
    });
  });

  it('may belong to a conversation, and can be asked again', async () => {
    const workflowId = await store();
    const { id } = await host.client.call(conversations.create, { body: {} });
    const show = () => host.client.call(conversations.show, { params: { id }, query: {} });
    const first = await turn(call.args, { workflowId, conversationId: id });
    expect(runOf(first).results).toMatchObject([{ stdout: 'Hello Ada' }]);
    const { revision, messages } = await show();
    expect(messages).toHaveLength(2);
    const again = await turn(
      { who: 'Zoë' },
      {
        workflowId,
        conversationId: id,
        replaceFrom: { index: 0, revision },
      },
    );
    expect(runOf(again).results).toMatchObject([{ stdout: 'Hello Zoë' }]);
    const stored = await show();
    expect(stored.messages).toHaveLength(2);
    expect(stored.messages[1]?.parts).toMatchObject([
      { type: 'tool', name: 'run_current_flow' },
      {},
    ]);
  });

  it('cancels the run when it is cancelled', async () => {
    const workflowId = await store({ steps: [command('exec sleep 30081')] });
    host.model.script(() => ({
      toolCalls: [{ name: call.name, arguments: JSON.stringify(call.args) }],
    }));
    const messages = [{ role: 'user' as const, content: 'go' }];
    const request = { messages, workflowId, permissionMode: 'full-access' } as const;
    const { streamId, ended } = await host.startTurn(request);
    const latest = async () => (await host.client.call(api.agent.runs, { query: { limit: 1 } }))[0];
    await expect.poll(latest).toMatchObject({ workflowId, status: 'running' });
    await host.client.call(api.chat.cancel, { params: { streamId } });
    await ended;
    await expect.poll(latest).toMatchObject({ workflowId, status: 'cancelled' });
  });

  it('receives a shortened description of a long workflow', async () => {
    const steps = Array.from({ length: 64 }, (_, index) =>
      command(`echo ${index}`, [], { title: `Step number ${index} ${'x'.repeat(180)}` }),
    );
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `input${index}`,
        { description: 'y'.repeat(400) },
      ]),
    );
    const inputSchema = { type: 'object', properties };
    const workflowId = await store({ steps }, { inputSchema, description: 'z'.repeat(4_000) });
    expect(await turn({}, { workflowId })).toMatchObject({ success: true });
    const text = system().slice(system().indexOf('The user has the workflow'));
    expect(text.length).toBeLessThan(16_200);
    expect(text).toMatch(/- and \d+ more lines$/);
  });
});
