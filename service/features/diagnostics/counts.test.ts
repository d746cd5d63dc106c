import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { hostileServer } from '../../testing/mcp/hostile-servers.ts';
import { addUntil, callTool } from '../../testing/mcp/mcp-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

/** The values of a metric; empty if no series has the tags yet. */
async function values(name: string, tag: string[] = []): Promise<Record<string, number>> {
  const all = await host.client.call(api.host.metric, { params: { name }, query: {} });
  const missing = tag.filter((pair) => {
    const existing = all.availableTags.find((one) => pair.startsWith(`${one.tag}:`));
    return !existing?.values.includes(pair.slice(pair.indexOf(':') + 1));
  });
  if (missing.length > 0) return {};
  const { measurements } = await host.client.call(api.host.metric, {
    params: { name },
    query: { tag },
  });
  return Object.fromEntries(measurements.map(({ statistic, value }) => [statistic, value]));
}

describe('runs of agents', () => {
  it('are counted and timed by outcome, and their steps by tool [METRIC-02, METRIC-03, METRIC-04]', async () => {
    expect(await values('host.agent.runs')).toEqual({ COUNT: 0 });
    const steps = [command('sleep 0.2'), command('echo two', [0])];
    await host.finish({ steps }, fullAccess);
    await host.finish({ steps: [command('exit 3')] }, fullAccess);
    const rejected = await host.start({ plan: { steps }, config: fullAccess });
    const { gateId } = await host.gate(rejected.runId);
    await host.approve(rejected.runId, { decision: 'reject' }, { gateId });
    await rejected.ended;

    const runs = (outcome: string) => values('host.agent.runs', [`outcome:${outcome}`]);
    await expect.poll(() => runs('cancelled')).toEqual({ COUNT: 1 });
    expect(await runs('completed')).toEqual({ COUNT: 1 });
    expect(await runs('failed')).toEqual({ COUNT: 1 });
    const took = await values('host.agent.run.duration', ['outcome:completed']);
    expect(took['COUNT']).toBe(1);
    expect(took['TOTAL_TIME']).toBeGreaterThan(0.2);
    expect(took['MAX']).toBe(took['TOTAL_TIME']);

    const tool = 'tool:execute_command';
    expect(await values('host.agent.steps', [tool, 'outcome:completed'])).toEqual({ COUNT: 2 });
    expect(await values('host.agent.steps', [tool, 'outcome:failed'])).toEqual({ COUNT: 1 });
    const done = [tool, 'outcome:completed'];
    await expect
      .poll(() => values('host.agent.step.duration', done))
      .toMatchObject({ COUNT: 2, MAX: expect.toSatisfy((max: number) => max > 0.2) as unknown });
    const { TOTAL_TIME = 0 } = await values('host.agent.step.duration', done);
    expect(TOTAL_TIME).toBeLessThanOrEqual(took['TOTAL_TIME'] ?? 0);
  });
});

describe('turns of the chat', () => {
  it('are counted by outcome, with the tokens that the server reports', async () => {
    host.model.script(() => ({
      text: ['Four words of answer.'],
      usage: { prompt_tokens: 70, completion_tokens: 5 },
    }));
    await host.sendMessage('Hello');
    await host.sendMessage('Hello again');
    expect(await values('host.chat.turns', ['outcome:done'])).toEqual({ COUNT: 2 });
    const tokensOf = (direction: string) =>
      values('host.chat.tokens', ['source:server', `direction:${direction}`]);
    expect(await tokensOf('input')).toEqual({ COUNT: 140 });
    expect(await tokensOf('output')).toEqual({ COUNT: 10 });
  });

  it('count the text of a cancelled turn by its length', async () => {
    const never = new Promise<void>(() => undefined);
    host.model.script(() => ({ text: ['eight by'], until: never }));
    const turn = await host.startTurn('Hello');
    await expect.poll(() => turn.events.map(({ event }) => event)).toContain('token');
    await host.client.call(api.chat.cancel, { params: { streamId: turn.streamId } });
    await turn.ended;
    expect(await values('host.chat.turns', ['outcome:cancelled'])).toEqual({ COUNT: 1 });
    expect(await values('host.chat.tokens', ['source:estimate'])).toEqual({ COUNT: 2 });
  });

  it('count failed turns as errors', async () => {
    host.model.script(() => ({ text: ['Half an'], breaksOff: true }));
    await host.sendMessage('Hello');
    expect(await values('host.chat.turns', ['outcome:error'])).toEqual({ COUNT: 1 });
  });
});

describe('calls of MCP servers', () => {
  it('are counted by server and outcome', async () => {
    const reportFile = join(host.workDirectory, 'told');
    const { id } = await addUntil(host, hostileServer('good', { name: 'counted' }, [reportFile]));
    const calls = (outcome: string) =>
      values('host.mcp.calls', ['server:counted', `outcome:${outcome}`]);
    await callTool(host, id, 'echo', { message: 'x' });
    await callTool(host, id, 'echo', { message: 'y' });
    await expect(callTool(host, id, 'error')).rejects.toMatchObject({
      problem: { code: 'mcp_failed' },
    });
    expect(await callTool(host, id, 'badly')).toMatchObject({ isError: true });
    expect(await calls('success')).toEqual({ COUNT: 2 });
    expect(await calls('failure')).toEqual({ COUNT: 2 });
    const leaving = new AbortController();
    const abandoned = host.client.call(api.mcp.call, {
      params: { id },
      body: { tool: 'hang', arguments: {} },
      signal: leaving.signal,
    });
    const outcome = abandoned.catch(() => 'left');
    await expect.poll(() => readFile(reportFile, 'utf8').catch(() => '')).toBe('hangs\n');
    leaving.abort();
    expect(await outcome).toBe('left');
    await expect.poll(() => calls('cancelled')).toEqual({ COUNT: 1 });
  });
});
