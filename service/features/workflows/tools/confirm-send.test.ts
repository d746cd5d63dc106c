import { afterEach, describe, expect, it } from 'vitest';
import { api, type PermissionMode } from '../../../contract/index.ts';
import { fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { only } from '../../../testing/chat-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(
  startAgentHost({ gateWaits: { gateGraceMs: 100, gateLimitMs: 1_500 } }),
);

const rules = (overrides: { deny?: string; ask?: string; allow?: string }) =>
  host.client.call(api.settings.put, {
    body: { permissionRules: { deny: '', ask: '', allow: '', ...overrides } },
  });
afterEach(async () => {
  await rules({});
  await host.client.call(api.settings.put, { body: { hooks: [] } });
});

const args = { title: 'Mail', summary: 'To all.' };
const step = { tool: 'confirm_send', title: 'Confirm', arguments: args, dependsOn: [] };
const everything = 'Tool(*)\nEffect(external)\nTool(confirm_send)';

/** Runs a turn whose model calls these tools, one after the other. */
async function turn(calls: [string, object][], permissionMode: PermissionMode, more: object = {}) {
  host.model.requests.length = 0;
  host.model.script((_request, index) => {
    const [name, values] = calls[index] ?? [];
    return name === undefined
      ? { text: ['Done.'] }
      : { toolCalls: [{ name, arguments: JSON.stringify(values) }] };
  });
  const messages = [{ role: 'user' as const, content: 'go' }];
  const started = await host.startTurn({ messages, permissionMode, ...more });
  const asked = () => only(started.events, 'approval_requested');
  return {
    ...started,
    asked,
    async answer(decision: 'allow_once' | 'allow_session' | 'allow_always' | 'reject', nth = 1) {
      await expect.poll(asked).toHaveLength(nth);
      const body = { callId: String(asked().at(-1)?.['callId']), decision };
      await host.client.call(api.chat.approve, { params: { streamId: started.streamId }, body });
    },
    results: () =>
      only(started.events, 'tool')
        .filter(({ phase }) => phase === 'result')
        .map(({ success, output }) => ({ success, output: String(output) })),
  };
}

async function publish(name: string): Promise<string> {
  const body = { name, description: '', inputSchema: { type: 'object' }, plan: { steps: [step] } };
  const { id } = await host.client.call(api.workflows.create, { body: body });
  const params = { workflowId: id };
  await host.client.call(api.workflows.publish, { params, body: { published: true } });
  return id;
}

describe.each(['ask-for-approval', 'approve-for-me', 'full-access'] as const)(
  'confirm_send in %s',
  (mode) => {
    it('requires approval each time, whatever rules allow, and offers no permanent permission', async () => {
      await rules({ allow: everything });
      const reply = await turn(
        [
          ['confirm_send', args],
          ['confirm_send', args],
        ],
        mode,
      );
      await expect.poll(reply.asked).toHaveLength(1);
      expect(reply.asked()[0]).toMatchObject({
        tool: 'confirm_send',
        suggestedRules: [],
        options: ['allow_once', 'reject'],
      });
      for (const decision of ['allow_session', 'allow_always'] as const)
        await expect(reply.answer(decision)).rejects.toMatchObject({
          problem: { code: 'not_an_option' },
        });
      await reply.answer('allow_once');
      await reply.answer('reject', 2);
      await reply.ended;
      expect(reply.results()).toMatchObject([
        { success: true, output: '{"confirmed":true}' },
        { success: false, output: 'The user rejected this call.' },
      ]);
    });

    it('is explained as requiring approval', async () => {
      const body = {
        tool: 'confirm_send',
        arguments: args,
        permissionMode: mode,
        rules: { deny: '', ask: '', allow: everything },
      };
      expect(await host.client.call(api.permissions.explain, { body })).toMatchObject({
        verdict: 'ask',
        suggestedRules: [],
        floor: false,
      });
    });

    it('requires approval in a run', async () => {
      await rules({ allow: everything });
      const config = { permissionMode: mode, planApproval: false };
      const run = await host.start({ plan: { steps: [step] }, config });
      expect(await host.gate(run.runId)).toMatchObject({
        gate: 'step',
        tool: 'confirm_send',
        options: ['allow_once', 'reject'],
      });
      await host.approve(run.runId, { decision: 'allow_once' });
      await run.ended;
      expect((await host.show(run.runId)).executions[0]).toMatchObject({
        result: { confirmed: true },
      });
    });

    it('fails if a model runs the workflow, since nobody can approve it', async () => {
      await rules({ allow: everything });
      const id = await publish(`Confirms in ${mode}`);
      const reply = await turn([[`run_workflow_${id}`, {}]], mode);
      await reply.ended;
      expect(reply.asked()).toEqual([]);
      expect(reply.results()).toMatchObject([{ success: false }]);
      expect(reply.results()[0]?.output).toMatch(
        /always needs your approval\. A workflow that a model starts cannot ask/,
      );
    });

    it('fails in the background if it is not approved in time', async () => {
      await rules({ allow: everything });
      const workflowId = await publish(`Submitted in ${mode}`);
      const reply = await turn([['task_submit_workflow', { workflowId }]], mode);
      await reply.ended;
      const { runId } = JSON.parse(reply.results()[0]?.output ?? '{}') as { runId: string };
      // Reading the run itself counts as watching it.
      const state = async () =>
        (await host.client.call(api.agent.runs, { query: {} })).find((run) => run.runId === runId)
          ?.status;
      await expect.poll(state, { timeout: 20_000 }).toBe('failed');
      const [execution] = (await host.show(runId)).executions;
      expect(execution?.error).toMatch(/not approved within ten minutes/);
    });
  },
);

it('a chat bound to a workflow cannot confirm its confirm_send step', async () => {
  await rules({ allow: everything });
  const workflowId = await publish('Bound');
  const reply = await turn([['run_current_flow', {}]], 'full-access', { workflowId });
  await reply.ended;
  expect(reply.results()[0]).toMatchObject({
    success: false,
    output: expect.stringMatching(/A workflow that a model starts cannot ask/) as unknown,
  });
});

it('a confirm_send call denied by a rule or a hook does not ask for approval', async () => {
  await rules({ deny: 'Tool(confirm_send)', allow: everything });
  const ruled = await turn([['confirm_send', args]], 'full-access');
  await ruled.ended;
  await rules({});
  const hook = {
    name: 'no',
    event: 'pre_tool_use',
    matcher: 'confirm_send',
    type: 'command',
    command: 'cat > /dev/null; echo not now >&2; exit 2',
    enabled: true,
  };
  await host.client.call(api.settings.put, { body: { hooks: [hook as never] } });
  const hooked = await turn([['confirm_send', args]], 'full-access');
  await hooked.ended;
  for (const reply of [ruled, hooked]) expect(reply.asked()).toEqual([]);
  expect(ruled.results()[0]?.output).toContain('The rule Tool(confirm_send) denies');
  expect(hooked.results()[0]?.output).toContain('not now');
});

it('a hook that allows confirm_send does not replace the approval of the user', async () => {
  const hook = {
    name: 'yes',
    event: 'pre_tool_use',
    matcher: '',
    type: 'command',
    enabled: true,
    command: `cat > /dev/null; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`,
  };
  await host.client.call(api.settings.put, { body: { hooks: [hook as never] } });
  const plan = { steps: [step] };
  const run = await host.start({ plan, config: { ...fullAccess, planApproval: false } });
  expect(await host.gate(run.runId)).toMatchObject({ tool: 'confirm_send' });
  await host.approve(run.runId, { decision: 'reject' });
  await run.ended;
  expect((await host.show(run.runId)).status).toBe('failed');
});
