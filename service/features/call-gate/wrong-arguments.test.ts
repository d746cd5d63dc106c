import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { addUntil } from '../../testing/mcp/mcp-host.ts';
import { nodeServer } from '../../testing/mcp/real-servers.ts';
import { installSample } from '../../testing/sample-plugin.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const events = ['pre_tool_use', 'post_tool_use', 'post_tool_use_failure'] as const;
const takesText = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
};

let hookLogPath: string;
const host = await useForFile(startAgentHost());

beforeAll(async () => {
  hookLogPath = join(host.workDirectory, 'heard.txt');
  await installSample(host, {
    manifest: {
      aiTools: [
        {
          name: 'sample_echo',
          description: 'Echoes.',
          method: 'echo',
          effect: 'external',
          inputSchema: takesText,
        },
      ],
    },
  });
  const lists = { tools: [{ name: 'say', inputSchema: takesText }] };
  const file = join(import.meta.dirname, '../../testing/mcp/listing-server.mjs');
  await addUntil(host, nodeServer(file, [JSON.stringify(lists)], { name: 'listing' }));
  const hooks = events.map((event) => ({
    name: event,
    event,
    type: 'command' as const,
    enabled: true,
    command: `cat > /dev/null; echo ${event} >> '${hookLogPath}'`,
  }));
  await host.client.call(api.settings.put, { body: { hooks: hooks as never } });
});

const readHookLog = () => readFile(hookLogPath, 'utf8').catch(() => '');

/** One call in a mode that requires approval; its turn ends without an answer. */
async function call(name: string, input: unknown) {
  host.model.requests.length = 0;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  host.model.script((_request, index) =>
    index === 0 ? { toolCalls: [{ name, arguments: text }] } : { text: ['Done.'] },
  );
  const messages = [{ role: 'user' as const, content: 'go' }];
  const turnEvents = await host.sendMessage({ messages, permissionMode: 'ask-for-approval' });
  expect(only(turnEvents, 'approval_requested')).toEqual([]);
  const [result] = only(turnEvents, 'tool').filter(({ phase }) => phase === 'result');
  const [, second] = host.model.requests;
  expect(JSON.stringify(second?.messages.at(-1))).toContain(
    JSON.stringify(result?.['output']).slice(1, 30),
  );
  return { success: result?.['success'], output: String(result?.['output']) };
}

describe("a model's call with wrong arguments", () => {
  it.each([
    ['execute_command', { cmd: 1 }, /must have the field “command”/],
    ['execute_command', { command: 'ls', timeoutSeconds: 'long' }, /timeoutSeconds/],
    ['confirm_send', { nope: 1 }, /must have the field “title”/],
    ['sample_echo', { text: 1 }, /text must be text/],
    ['mcp__listing__say', {}, /must have the field “text”/],
    ['http_request', { url: 'https://example.com/' }, /must have the field “method”/],
    ['task_schedule', {}, /must have the field “workflowId”/],
    ['nobody_has_it', {}, /There is no tool nobody_has_it/],
    ['execute_command', 'no JSON', /not valid JSON/],
    ['execute_command', '[]', /must be a JSON object/],
  ])('is answered at once: %s %j', async (tool, input, reason) => {
    const { success, output } = await call(tool, input);
    expect({ success, output }).toEqual({
      success: false,
      output: expect.stringMatching(reason) as unknown,
    });
    expect(await readHookLog()).toBe('');
  });
});

describe('a step with wrong arguments', () => {
  const outcomeOf = async (args: Record<string, unknown>, tool = 'execute_command') => {
    const first = {
      tool: 'json_format',
      title: 'Makes',
      arguments: { json: '{"a": 1}' },
      dependsOn: [],
    };
    const step = {
      tool,
      title: 'Cannot',
      arguments: args,
      dependsOn: [0],
      retry: { maxAttempts: 3 },
    };
    const config = { permissionMode: 'ask-for-approval' as const };
    return host.finish({ steps: [first, step] }, config);
  };

  it('fails at once without approval or retry', async () => {
    const { events: runEvents, run } = await outcomeOf({
      command: 'ls',
      timeoutSeconds: '{{steps.0.result}}',
    });
    expect(run.executions[1]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/timeoutSeconds must be a number/) as unknown,
    });
    expect(only(runEvents, 'step_approval_requested')).toEqual([]);
    expect(only(runEvents, 'step_start').map(({ index }) => index)).toEqual([0]);
    expect(only(runEvents, 'step_complete').at(-1)).toMatchObject({
      index: 1,
      code: 'invalid_arguments',
    });
  });

  it('is not passed to hooks', async () => {
    const before = (await readHookLog()).split('\n').length;
    await outcomeOf({ title: 'Mail', summary: '{{steps.0.result}}' }, 'confirm_send');
    // Only the first step reaches the hooks, before and after it.
    expect((await readHookLog()).split('\n').length).toBe(before + 2);
  });
});

it('a step whose tool was removed meanwhile fails without approval', async () => {
  await host.client.call(api.settings.put, { body: { memoryEnabled: true } });
  const step = { tool: 'memory_remember', title: 'Keeps', arguments: { text: 'x' }, dependsOn: [] };
  const config = { permissionMode: 'ask-for-approval' as const };
  const run = await host.start({ plan: { steps: [step] }, config });
  expect(await host.gate(run.runId)).toMatchObject({ gate: 'plan' });
  await host.client.call(api.settings.put, { body: { memoryEnabled: false } });
  const before = await readHookLog();
  await host.approve(run.runId);
  await run.ended;
  expect(only(run.events, 'step_complete')).toMatchObject([{ success: false, code: 'no_tool' }]);
  expect(only(run.events, 'step_approval_requested')).toEqual([]);
  expect(await readHookLog()).toBe(before);
});

it('a valid call is passed to hooks and needs approval as usual', async () => {
  host.model.requests.length = 0;
  host.model.script((_request, index) =>
    index === 0
      ? { toolCalls: [{ name: 'sample_echo', arguments: '{"text":"x"}' }] }
      : { text: ['Done.'] },
  );
  const before = await readHookLog();
  const messages = [{ role: 'user' as const, content: 'go' }];
  const { streamId, events: turnEvents, ended } = await host.startTurn({ messages });
  await expect.poll(() => only(turnEvents, 'approval_requested')).toHaveLength(1);
  const [{ callId } = { callId: '' }] = only(turnEvents, 'approval_requested');
  const body = { callId: String(callId), decision: 'allow_once' as const };
  await host.client.call(api.chat.approve, { params: { streamId }, body });
  await ended;
  expect((await readHookLog()).slice(before.length)).toBe('pre_tool_use\npost_tool_use\n');
});
