import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { command, fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { loadedBy } from '../../../testing/loaded-by.ts';
import { startTraceCollector, type TraceCollector } from '../../../testing/trace-collector.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { pushSpans } from './otlp-spans.ts';
import type { RunSpan } from './run-trace.ts';

let collector: TraceCollector;
beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(() => collector.close());

it('a run is a trace: the run, its planning with each request, and each attempt of a step', async () => {
  const host = await startAgentHost({ properties: { otlpTracesUrl: collector.base } });
  const plan = {
    steps: [
      command('echo of-the-arguments', [], { id: 'says' }),
      command('exit 3', [], { id: 'fails', retry: { maxAttempts: 2, delaySeconds: 0 } }),
      command('echo {{steps.1.result.stdout}}', [1]),
    ],
  };
  host.model.script((_, index) => ({
    text: [index === 0 ? 'No plan.' : JSON.stringify(plan)],
    usage: { prompt_tokens: 70, completion_tokens: 9 },
  }));
  const run = await host.start({
    goal: 'The goal of-the-goal',
    config: { ...fullAccess, planApproval: false },
  });
  await run.ended;
  await host.close();

  expect(collector.refusals).toEqual([]);
  expect(new Set(collector.paths)).toEqual(new Set(['/v1/traces']));
  const { spans, text } = collector;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
    new Set([run.runId.replaceAll('-', '')]),
  );
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [root] = named('agent.run');
  expect(root?.parentSpanId).toBeUndefined();
  expect(root).toMatchObject({
    status: { code: 2 },
    attributes: { 'host.run.id': run.runId, 'host.run.status': 'failed', 'host.run.steps': 3 },
  });
  const [planning] = named('agent.plan');
  expect(planning).toMatchObject({
    parentSpanId: root?.spanId,
    attributes: { 'host.plan.requests': 2 },
  });
  expect(named('agent.plan.request')).toMatchObject(
    Array(2).fill({
      parentSpanId: planning?.spanId,
      attributes: { 'gen_ai.usage.input_tokens': 70, 'gen_ai.usage.output_tokens': 9 },
    }),
  );
  const steps = named('agent.step');
  expect(steps.every(({ parentSpanId }) => parentSpanId === root?.spanId)).toBe(true);
  const attempt = (id: string, number: number) =>
    steps.find(
      ({ attributes }) =>
        attributes['host.step.id'] === id && attributes['host.step.attempt'] === number,
    );
  expect(steps).toHaveLength(3);
  expect(attempt('says', 1)).toMatchObject({
    status: { code: 0 },
    attributes: { 'host.step.tool': 'execute_command', 'host.step.status': 'completed' },
  });
  for (const number of [1, 2])
    expect(attempt('fails', number)).toMatchObject({
      status: { code: 2 },
      attributes: { 'host.step.status': 'failed', 'error.type': 'tool_failed' },
    });
  for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans) {
    expect(BigInt(from) <= BigInt(to)).toBe(true);
    expect(BigInt(root?.startTimeUnixNano ?? 0) <= BigInt(to)).toBe(true);
  }
  for (const secret of ['of-the-arguments', 'of-the-goal', 'test-key-of-the-model', 'exit 3'])
    expect(text).not.toContain(secret);
});

const span = (number: number): RunSpan => ({
  name: 'agent.run',
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  parentId: null,
  startMs: 1_800_000_000_000,
  endMs: 1_800_000_000_001,
  failed: false,
  attributes: { number },
});

it('an unavailable collector costs a bounded number of spans and one log line', async () => {
  const { base } = collector;
  await collector.close();
  const log = createLog({ level: 'OFF', directory: null, stderr: false });
  const push = pushSpans({ log, url: base, everyMs: 5 });
  for (let number = 0; number < 20_000; number += 1) push.add(span(number));
  await expect.poll(() => log.errors.length, { timeout: 10_000 }).toBe(1);
  const started = performance.now();
  await push.close();
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(log.errors.map(({ message }) => message)).toEqual([
    `Traces could not be exported to ${new URL(base).host}: ECONNREFUSED.`,
  ]);
  collector = await startTraceCollector();
});

it('a host with an unavailable collector of traces runs and closes as usual', async () => {
  const { base } = collector;
  await collector.close();
  const host = await startAgentHost({ properties: { otlpTracesUrl: base } });
  const { run } = await host.finish({ steps: [command('echo hello')] }, fullAccess);
  expect(run.status).toBe('completed');
  const started = performance.now();
  await host.close();
  expect(performance.now() - started).toBeLessThan(4_000);
  collector = await startTraceCollector();
});

it('without an address, no code for traces is loaded', async () => {
  expect(await loadedBy({ otlpTracesUrl: collector.base })).toContain('@opentelemetry/sdk-trace');
  expect(await loadedBy({ otlpTracesUrl: null })).toEqual([]);
  const host = await startTestHost();
  await host.close();
  expect(collector.spans).toEqual([]);
}, 60_000);
