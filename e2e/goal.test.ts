import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../service/client/index.ts';
import { type AgentPlan, api, type RunDetails } from '../service/contract/index.ts';
import { command, followRuns } from '../service/testing/agent-host.ts';
import { followTurns, only, textOf, useModel } from '../service/testing/chat-host.ts';
import { realServer } from '../service/testing/mcp/real-servers.ts';
import { type ModelServer, startModelServer } from '../service/testing/model-server.ts';
import { type BuiltHost, createHosts } from './built-host.ts';

const hosts = createHosts();
let model: ModelServer;
let workDirectory: string;
beforeAll(async () => {
  model = await startModelServer();
  workDirectory = await hosts.makeFolder();
});
afterAll(async () => {
  await hosts.cleanUp();
  await model.close();
});

const config = { permissionMode: 'ask-for-approval', concurrency: 3 } as const;
/** Blocks until somebody writes to the pipe. */
const reads = 'cat answer';
const answerFile = (): string => join(workDirectory, '.host', 'workspace', 'answer');

const draft = {
  summary: 'Asks three tools and puts their answers together.',
  steps: [
    { title: 'Format', tool: 'format_json', arguments: { text: '{"a":1}' } },
    command('echo as drafted'),
    { title: 'Echo', tool: 'mcp__every__echo', arguments: { message: 'served' } },
    {
      title: 'Together',
      tool: 'minify_json',
      dependsOn: [0, 1, 2],
      arguments: { text: { ran: 'steps.1.result.stdout', served: 'steps.2.result' } },
    },
  ],
};

/** Returns the status of each step. */
const statuses = ({ executions }: RunDetails) => executions.map(({ status }) => status);

function expectGapless({ events }: RunDetails): void {
  expect(events.map(({ sequence }) => sequence)).toEqual([...events.keys()]);
}

async function start(): Promise<{ host: BuiltHost; client: Client }> {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'], workDirectory });
  const client = await host.client();
  const tools = async () => (await client.call(api.tools.list)).map(({ name }) => name);
  await useModel({ client }, model.baseUrl);
  if ((await client.call(api.mcp.list)).length === 0)
    await client.call(api.mcp.create, { body: realServer('everything', [], { name: 'every' }) });
  await expect.poll(tools).toEqual(expect.arrayContaining(['format_json', 'mcp__every__echo']));
  return { host, client };
}

/** Waits until exactly the command asks for approval, and allows it. */
async function allowCommand(client: Client, runId: string): Promise<void> {
  const { gate, approve } = followRuns({ client });
  const asked = await gate(runId);
  expect(asked).toMatchObject({ gate: 'step', index: 1, tool: 'execute_command' });
  await approve(runId, { decision: 'allow_once' }, { gateId: asked.gateId });
}

async function expectDone(client: Client, runId: string): Promise<RunDetails> {
  const { follow, show } = followRuns({ client });
  await follow(runId).ended;
  const run = await show(runId);
  expect(run.error).toBeUndefined();
  expect(run.status).toBe('completed');
  expectGapless(run);
  expect(JSON.stringify(run.executions[3]?.result)).toContain('commanded');
  expect(JSON.stringify(run.executions[3]?.result)).toContain('served');
  return run;
}

it('a goal is planned, edited, started, killed midway, continued, saved, and repeated by hand, from a chat and by a schedule [AGENT-01, WORKFLOW-20]', async () => {
  const first = await start();
  await mkdir(dirname(answerFile()), { recursive: true });
  await promisify(execFile)('mkfifo', [answerFile()]);
  const { runId, edited } = await editAtGate(first.client);
  await allowCommand(first.client, runId);
  const showRun = followRuns(first).show;
  await expect
    .poll(async () => statuses(await showRun(runId)))
    .toEqual(['completed', 'running', 'completed', 'pending']);
  first.host.child.kill('SIGKILL');
  await first.host.exited;

  const { client } = await start();
  const { show, gate, approve } = followRuns({ client });
  const interrupted = await show(runId);
  expect(interrupted.status).toBe('interrupted');
  expect(statuses(interrupted)).toEqual(['completed', 'unknown', 'completed', 'pending']);
  expectGapless(interrupted);
  const { runId: resumed } = await client.call(api.agent.resume, { params: { runId } });
  expect(await gate(resumed)).toMatchObject({ gate: 'plan', completed: [0, 2], unknown: [1] });
  await approve(resumed);
  await rm(answerFile());
  await writeFile(answerFile(), 'commanded');
  await allowCommand(client, resumed);
  const done = await expectDone(client, resumed);
  expect(done.executions.map(({ inherited = false }) => inherited)).toEqual([
    ...[true, false, true, false],
  ]);

  const workflowId = await keep(client, edited);
  await byHand(client, workflowId);
  await fromChat(client, workflowId);
  await bySchedule(client, workflowId);
}, 180_000);

/** The model drafts a plan, a person edits a command; three tools start together. */
async function editAtGate(client: Client): Promise<{ runId: string; edited: AgentPlan }> {
  model.script(() => ({ text: [JSON.stringify(draft)] }));
  const { start: startRun, gate, approve } = followRuns({ client });
  const { runId } = await startRun({ goal: 'Ask all three', config });
  const drafted = await gate(runId);
  if (drafted.gate !== 'plan') throw new Error('The plan did not wait.');
  expect(drafted.plan).toMatchObject(draft);
  const steps = drafted.plan.steps.map((step, index) =>
    index === 1 ? { ...step, arguments: { command: reads } } : step,
  );
  const edited = { ...drafted.plan, steps };
  await approve(runId, { steps: [{ ...steps[0]!, tool: 'not_there' }] }).then(
    () => expect.unreachable(),
    (error: unknown) => expect(error).toMatchObject({ problem: { status: 400 } }),
  );
  await approve(runId, edited, { gateId: drafted.gateId });
  return { runId, edited };
}

async function keep(client: Client, plan: AgentPlan): Promise<string> {
  const inputSchema = { type: 'object' };
  const body = { name: 'All three', description: 'Asks three tools.', inputSchema, plan };
  const { id } = await client.call(api.workflows.create, { body });
  const params = { workflowId: id };
  await client.call(api.workflows.publish, { params, body: { published: true } });
  return id;
}

async function byHand(client: Client, workflowId: string): Promise<void> {
  const params = { workflowId };
  const body = { inputs: {}, config };
  const { runId } = await client.call(api.workflows.run, { params, body });
  await allowCommand(client, runId);
  await expectDone(client, runId);
}

/** One approval for the call of the workflow. */
async function fromChat(client: Client, workflowId: string): Promise<void> {
  const tool = { name: `run_workflow_${workflowId}`, arguments: '{}' };
  model.requests.length = 0;
  model.script((_, index) => (index === 0 ? { toolCalls: [tool] } : { text: ['All done.'] }));
  const messages = [{ role: 'user' as const, content: 'Ask all three' }];
  const request = { messages, permissionMode: 'ask-for-approval' as const };
  const { streamId, events, ended } = await followTurns({ client }).startTurn(request);
  const asked = () => only(events, 'approval_requested');
  await expect.poll(asked).toMatchObject([{ tool: tool.name }]);
  const body = { callId: String(asked()[0]?.['callId']), decision: 'allow_once' as const };
  await client.call(api.chat.approve, { params: { streamId }, body });
  await ended;
  expect(asked()).toHaveLength(1);
  const [result] = only(events, 'tool').filter(({ phase }) => phase === 'result');
  expect(result, String(result?.['output'])).toMatchObject({ success: true });
  const { runId } = JSON.parse(String(result?.['output'])) as { runId: string };
  await expectDone(client, runId);
  expect(textOf(events)).toBe('All done.');
}

async function bySchedule(client: Client, workflowId: string): Promise<void> {
  const body = {
    workflowId,
    intervalSeconds: 3_600,
    fireImmediately: true,
    permissionMode: 'full-access' as const,
  };
  const { id } = await client.call(api.schedules.create, { body });
  const runs = async () => {
    const all = await client.call(api.schedules.list);
    return all.find((one) => one.id === id)?.history.map(({ runId }) => runId);
  };
  await expect.poll(runs).toEqual([expect.any(String)]);
  await expectDone(client, (await runs())![0]!);
}
