import { expect, it } from 'vitest';
import type { PlanStep } from '../../../contract/index.ts';
import { Semaphore } from '../../../core/semaphore.ts';
import { type Random, randomOf } from '../../../testing/faults/random.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { Tool } from '../../tools/index.ts';
import { planProblems } from '../plan/plan-problems.ts';
import { GateRegistry } from './gate-registry.ts';
import { outcomeOfSteps, type StepFailure } from './run-outcome.ts';
import { runSteps } from './run-steps.ts';

/** How the tool of a step behaves: failures before success, and the user's answer. */
interface Fate {
  failures: number;
  asked: boolean;
  rejected: boolean;
}

interface Made {
  steps: PlanStep[];
  fates: Fate[];
}

/** True once in `oneIn` times on average. */
const now = (random: Random, oneIn: number): boolean => random.below(oneIn) === 0;

function stepOf(random: Random, index: number, dependsOn: number[]): PlanStep {
  const [first] = dependsOn;
  const isIf = first !== undefined && now(random, 6);
  const used = first === undefined || isIf ? [] : [first];
  const retry = { maxAttempts: 1 + random.below(3), delaySeconds: 0 };
  const when = { value: `steps.${first}.result.value`, equals: random.below(2) };
  return {
    id: `s${index}`,
    title: '',
    tool: 'work',
    dependsOn,
    arguments: { index, before: used.map((target) => `{{steps.${target}.result.value}}`) },
    ...(now(random, 4) ? { retry } : {}),
    ...(now(random, 5) ? { onFailure: 'continue' as const } : {}),
    ...(isIf ? { when } : {}),
  };
}

function randomPlan(random: Random): Made {
  const count = 2 + random.below(63);
  const width = 1 + random.below(26);
  const steps: PlanStep[] = [];
  const fates: Fate[] = [];
  for (let index = 0; index < count; index += 1) {
    const from = Math.max(0, index - width);
    const before = Array.from({ length: Math.min(index, random.below(4)) }, () =>
      Math.min(index - 1, from + random.below(width)),
    );
    const dependsOn = [...new Set(before)];
    steps.push(stepOf(random, index, dependsOn));
    fates.push({
      failures: now(random, 5) ? random.below(4) : 0,
      asked: now(random, 5),
      rejected: now(random, 4),
    });
  }
  return { steps, fates };
}

interface Came {
  status: string[];
  values: (number | null)[];
  ends: 'completed' | 'failed';
}

/** The expected end of a step after its prerequisites ended like this. */
// eslint-disable-next-line complexity -- what others are compared with is believed most easily in one piece
function endOf(
  { when, retry, arguments: args }: PlanStep,
  { failures, asked, rejected }: Fate,
  { before, value }: { before: (string | undefined)[]; value: number | null | undefined },
): string {
  if (before.includes('failed') || before.includes('missed')) return 'missed';
  if (before.length > 0 && !before.includes('completed')) return 'left-out';
  if (when && value !== when.equals) return 'left-out';
  if ((args['before'] as string[]).length > 0 && value === null) return 'failed';
  if (asked && rejected) return 'failed';
  return failures < (retry?.maxAttempts ?? 1) ? 'completed' : 'failed';
}

/** Executes the plan sequentially, as the reference. */
function reference({ steps, fates }: Made): Came {
  const status: string[] = [];
  const why: string[] = [];
  const values: (number | null)[] = [];
  steps.forEach((step, index) => {
    const { dependsOn, arguments: args } = step;
    const before = dependsOn.map((target) => why[target]);
    why[index] = endOf(step, fates[index] as Fate, { before, value: values[dependsOn[0] ?? 0] });
    status[index] = ['missed', 'left-out'].includes(why[index]) ? 'skipped' : why[index];
    const [first = 0] = dependsOn;
    const used = (args['before'] as string[]).length > 0;
    values[index] =
      why[index] === 'completed' ? (used ? ((values[first] ?? 0) + 1) % 2 : index % 2) : null;
  });
  const bad = steps.some(
    ({ onFailure }, index) => why[index] === 'failed' && onFailure !== 'continue',
  );
  return { status, values, ends: bad ? 'failed' : 'completed' };
}

/** A catalog of one tool, with rules and answers as the plan demands. */
function worldOf({ fates }: Made, concurrency: number) {
  const running = new Set<number>();
  const done = new Set<number>();
  const started: { index: number; done: number[] }[] = [];
  const tries = new Map<number, number>();
  let most = 0;
  const tool: Tool = {
    name: 'work',
    description: '',
    inputSchema: { type: 'object' },
    effect: 'read',
    async run({ arguments: args }) {
      const { index, before } = args as { index: number; before: number[] };
      started.push({ index, done: [...done] });
      running.add(index);
      most = Math.max(most, running.size);
      for (let turn = 0; turn < index % 5; turn += 1) await new Promise(setImmediate);
      running.delete(index);
      const tried = tries.get(index) ?? 0;
      tries.set(index, tried + 1);
      if (tried < (fates[index]?.failures ?? 0)) return { success: false, output: 'Not yet.' };
      done.add(index);
      const value = before.length > 0 ? ((before[0] ?? 0) + 1) % 2 : index % 2;
      return { success: true, output: JSON.stringify({ value }) };
    },
  };
  const gate: CallGate = {
    tools: () => Promise.resolve([tool]),
    judge: ({ arguments: args }) => {
      const asked = fates[Number(args['index'])]?.asked === true;
      const verdict = asked ? ('ask' as const) : ('allow' as const);
      return Promise.resolve({ verdict, reason: 'So it was made.', suggestedRules: [] });
    },
    granted: () => new Promise(() => undefined),
    remember: () => Promise.resolve(),
    run: (_, args, run) => tool.run({ ...run, arguments: args }),
    ran: () => Promise.resolve(),
    sandboxed: true,
  };
  return { gate, began: started, concurrency, most: () => most };
}

async function runPlan(made: Made, concurrency: number) {
  const world = worldOf(made, concurrency);
  const gates = new GateRegistry({
    isWatched: () => true,
    unwatched: () => undefined,
    graceMs: 60_000,
  });
  const plan = { steps: made.steps };
  const failures = new Map<number, StepFailure>();
  const results = new Map<number, unknown>();
  const recorded: { type: string; index: number }[] = [];
  const progress = await runSteps({
    runId: 'run',
    plan,
    config: {},
    readOnly: false,
    isCall: false,
    gate: world.gate,
    gates,
    failures,
    semaphore: new Semaphore(concurrency),
    signal: new AbortController().signal,
    gateLimitMs: 60_000,
    resultCapacity: { bytes: 1_000_000 },
    emit: () => undefined,
    values: {
      results,
      order: [],
      inputOf: () => null,
      files: new Map(),
      indexOf: (id) => Number(id.slice(1)),
    },
    gatesChanged() {
      for (const one of gates.pending)
        if (one.gate === 'step')
          setImmediate(() => {
            if (!gates.pending.includes(one)) return;
            const decision = made.fates[one.index]?.rejected ? 'reject' : 'allow_once';
            gates.answer(one, { decision });
          });
    },
    record(type, data) {
      recorded.push({ type, index: Number(data['index']) });
      return Promise.resolve();
    },
  });
  const status = made.steps.map((_, index) => {
    const end = progress.endOf(index);
    return end === 'missed' || end === 'left-out' ? 'skipped' : String(end);
  });
  const values = made.steps.map((_, index) => {
    const result = results.get(index) as { value: number } | undefined;
    return result?.value ?? null;
  });
  return {
    status,
    values,
    ends: outcomeOfSteps(plan, progress, failures).status,
    world,
    told: recorded,
  };
}

it('300 random plans end as in sequential execution', async () => {
  const random = randomOf(20_261_122);
  const seen = new Set<string>();
  for (let round = 0; round < 300; round += 1) {
    const made = randomPlan(random);
    expect(planProblems({ steps: made.steps })).toEqual([]);
    const concurrency = 1 + random.below(8);
    const { world, told: recorded, ...came } = await runPlan(made, concurrency);
    expect(came, `plan ${round}`).toEqual(reference(made));
    expect(world.most()).toBeLessThanOrEqual(concurrency);
    for (const { index, done } of world.began) {
      const before = made.steps[index]?.dependsOn ?? [];
      const needed = before.filter((target) => came.status[target] === 'completed');
      expect(done).toEqual(expect.arrayContaining(needed));
    }
    const ended = recorded.filter(
      ({ type }) => type === 'step_complete' || type === 'step_skipped',
    );
    expect(ended.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...made.steps.keys()]);
    for (const one of came.status) seen.add(one);
  }
  expect([...seen].sort()).toEqual(['completed', 'failed', 'skipped']);
});
