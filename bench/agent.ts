import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '../service/client/index.ts';
import { type AgentPlan, api } from '../service/contract/index.ts';
import { Semaphore } from '../service/core/semaphore.ts';
import { checkPlan } from '../service/features/agent/index.ts';
import { textTemplate } from '../service/features/workflows/tools/text-template.ts';
import { bareSteps } from './bare/bare-steps.ts';
import { type Graphs, startGraphs } from './harness/graphs.ts';
import { interleave, milliseconds, perSecond } from './harness/measure.ts';
import { type Server, startServer } from './harness/processes.ts';
import { doRun } from './harness/runs.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf, Wire } from './harness/wire.ts';

const stepCount = 1_000;
const chainRounds = 3;
const fanOutRounds = 5;
const delayRounds = 7;
const delaySteps = 64;
const waitMs = 100;
const mostAtOnce = 64;
const checkRounds = 40;
const checkWarmUps = 10;
const eventCount = 10_000;
const openRounds = 20;
const openWarmUps = 5;

type Steps = AgentPlan['steps'];

/** Overhead of a run beside its tools, and the time to open one. */
export async function agent(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  const graphs = await startGraphs(directory);
  try {
    await firstAnswer(host.port, healthPath);
    const client = createClient({ baseUrl: `http://127.0.0.1:${host.port}`, token: () => token });
    return [
      ...(await chain(host, graphs, directory)),
      await fanOut(host, graphs),
      await delayedSteps(host, 4),
      await delayedSteps(host, mostAtOnce),
      await checking(),
      await opening(host, client, directory),
    ];
  } finally {
    await Promise.all([host.stop(), graphs?.stop()]);
  }
}

/** A step that does next to nothing. */
const idle = (index: number, dependsOn: number[] = []): Steps[number] => ({
  title: `Step ${index}`,
  tool: 'condition',
  arguments: { operator: 'is_empty' },
  dependsOn,
});

const chained = (index: number): Steps[number] => idle(index, index === 0 ? [] : [index - 1]);

const stepsOf = (count: number, step: (index: number) => Steps[number]): Steps =>
  Array.from({ length: count }, (_, index) => step(index));

/** Steps in sequence: every event is stored before the next step starts. */
async function chain(host: Server, graphs: Graphs | null, directory: string): Promise<Row[]> {
  const plan = { steps: stepsOf(stepCount, chained) };
  const bare = await bareSteps(join(directory, 'bare-steps.db'));
  const rate = (work: () => Promise<unknown>) => () => perSecond(stepCount, work);
  const pairs = await interleave(chainRounds, {
    ours: rate(() => doRun(host, plan)),
    bare: rate(() => bare.chain(stepCount)),
    peer: rate(() => graphs?.run('chain') ?? Promise.resolve()),
  });
  await bare.close();
  const name = `${stepCount} steps in a chain`;
  const { ours } = pairs;
  const target = { least: 3 };
  return [
    compare({
      name,
      unit: '/s',
      ours,
      other: pairs.bare,
      against: 'bare',
      target: { least: 0.2 },
    }),
    graphs
      ? compare({
          name: `${name} / LangGraph`,
          unit: '/s',
          ours,
          other: pairs.peer,
          against: 'peer',
          target,
        })
      : notMeasured(`${name} / LangGraph`, target, 'not installed'),
  ];
}

/** Steps that do not depend on each other. */
async function fanOut(host: Server, graphs: Graphs | null): Promise<Row> {
  const plan = { steps: stepsOf(stepCount, (index) => idle(index)) };
  const name = `${stepCount} steps at once / LangGraph`;
  const target = { least: 1.5 };
  if (!graphs) return notMeasured(name, target, 'not installed');
  const rate = (work: () => Promise<unknown>) => () => perSecond(stepCount, work);
  const pairs = await interleave(fanOutRounds, {
    ours: rate(() => doRun(host, plan, { concurrency: mostAtOnce })),
    peer: rate(() => graphs.run('fan-out')),
  });
  return compare({
    name,
    unit: '/s',
    ours: pairs.ours,
    other: pairs.peer,
    against: 'peer',
    target,
  });
}

/** Compares with timers that share the same number of slots. */
async function delayedSteps(host: Server, concurrency: number): Promise<Row> {
  const plan = {
    steps: stepsOf(delaySteps, (index) => ({
      ...idle(index),
      tool: 'delay',
      arguments: { seconds: waitMs / 1_000 },
    })),
  };
  const never = new AbortController().signal;
  const pairs = await interleave(delayRounds, {
    ours: () => milliseconds(() => doRun(host, plan, { concurrency })),
    bare: () =>
      milliseconds(() => {
        const semaphore = new Semaphore(concurrency);
        const one = async (): Promise<void> => {
          await semaphore.acquire(never);
          await wait(waitMs);
          semaphore.release();
        };
        return Promise.all(Array.from({ length: delaySteps }, one));
      }),
  });
  return compare({
    name: `${delaySteps} waiting steps, ${concurrency} at once`,
    unit: 'ms',
    ours: pairs.ours,
    other: pairs.bare,
    against: 'bare',
    target: { most: 1.3 },
  });
}

/** Checks a plan whose steps all use results of others; compared with parsing its JSON. */
async function checking(): Promise<Row> {
  const rules = { tools: [textTemplate] };
  const text = JSON.stringify({
    steps: stepsOf(64, (index) => {
      const dependsOn = [index - 1, index - 8].filter((target) => target >= 0);
      const values = Object.fromEntries(
        dependsOn.map((target) => [`of_${target}`, `steps.${target}.result.text`]),
      );
      const template = `{{last.result.text}} and ${dependsOn.map((target) => `{{steps.${target}.result}}`).join()}`;
      const args = dependsOn.length > 0 ? { template, values } : { template: 'Begin' };
      return { ...idle(index, dependsOn), tool: textTemplate.name, arguments: args };
    }),
  });
  const pairs = await interleave(
    checkRounds,
    {
      ours: () => milliseconds(() => checkPlan(JSON.parse(text) as AgentPlan, rules)),
      bare: () => milliseconds(() => Promise.resolve(JSON.parse(text))),
    },
    checkWarmUps,
  );
  return compare({
    name: 'check of a plan of 64 steps',
    unit: 'ms',
    ours: pairs.ours,
    other: pairs.bare,
    against: 'bare',
    target: { mostMs: 5 },
  });
}

/** Opens a finished run with all its events; compared with a route that sends the same JSON. */
async function opening(host: Server, client: Client, directory: string): Promise<Row> {
  const runId = await doRun(host, tryingPlan(), { maxAttempts: 20, concurrency: mostAtOnce });
  const run = await client.call(api.agent.show, { params: { runId } });
  if (run.events.length < eventCount) throw new Error(`${run.events.length} events came.`);
  const path = api.agent.show.path.replace('{runId}', runId);
  const answer = join(directory, 'run.json');
  await writeFile(answer, JSON.stringify(run));
  const server = join(import.meta.dirname, 'bare', 'json-server.ts');
  const bare = await startServer([server, path, `@${answer}`]);
  try {
    const asking = async ({ port }: Server) => {
      const wire = await Wire.open(port);
      const request = requestOf(port, `GET ${path}`, token);
      return () => milliseconds(() => wire.ask(request));
    };
    const sides = { ours: await asking(host), bare: await asking(bare) };
    const pairs = await interleave(openRounds, sides, openWarmUps);
    return compare({
      name: `run of ${eventCount} events`,
      unit: 'ms',
      ours: pairs.ours,
      other: pairs.bare,
      against: 'bare',
      target: { mostMs: 150 },
    });
  } finally {
    await bare.stop();
  }
}

/** Steps that fail twenty times emit 42 events each. */
const tryingPlan = (): AgentPlan => ({
  steps: stepsOf(Math.ceil(eventCount / 41), (index) => ({
    ...idle(index),
    tool: 'json_format',
    arguments: { json: '{' },
    onFailure: 'continue',
  })),
});
