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

/** The behavior of a call's tool: failures before success, and the user's answer. */
interface Fate {
  failures: number;
  asked: boolean;
  rejected: boolean;
}

interface StepFate extends Fate {
  /** For a step with `forEach`: one for each element. */
  elements: Fate[];
}

interface Made {
  steps: PlanStep[];
  fates: StepFate[];
}

/** Returns true once in `oneIn` times on average. */
const now = (random: Random, oneIn: number): boolean => random.below(oneIn) === 0;

const fateOf = (random: Random): Fate => ({
  failures: now(random, 5) ? random.below(4) : 0,
  asked: now(random, 5),
  rejected: now(random, 4),
});

/** Returns a list of its own, or the list from the first step before it. */
function listOf(random: Random, first: number | undefined): unknown {
  const fromBefore = first !== undefined && now(random, 3);
  if (fromBefore) return `{{steps.${first}.result.list}}`;
  return Array.from({ length: random.below(7) }, () => random.below(10));
}

/** The list after a completed step. */
const listAfter = (value: number): number[] => [value, value + 1, value + 2];

function stepOf(random: Random, index: number, dependsOn: number[]): PlanStep {
  const [first] = dependsOn;
  const isIf = first !== undefined && now(random, 6);
  const used = first === undefined || isIf ? [] : [first];
  const retry = { maxAttempts: 1 + random.below(3), delaySeconds: 0 };
  const when = { value: `steps.${first}.result.value`, equals: random.below(2) };
  const isEach = now(random, 3);
  return {
    id: `s${index}`,
    title: '',
    tool: 'work',
    dependsOn,
    arguments: {
      index,
      before: used.map((target) => `{{steps.${target}.result.value}}`),
      ...(isEach ? { item: '{{item}}', element: '{{index}}' } : {}),
    },
    ...(isEach ? { forEach: listOf(random, first) } : {}),
    ...(now(random, 4) ? { retry } : {}),
    ...(now(random, 5) ? { onFailure: 'continue' as const } : {}),
    ...(isIf ? { when } : {}),
  };
}

function randomPlan(random: Random): Made {
  const count = 2 + random.below(63);
  const width = 1 + random.below(26);
  const steps: PlanStep[] = [];
  const fates: StepFate[] = [];
  for (let index = 0; index < count; index += 1) {
    const from = Math.max(0, index - width);
    const before = Array.from({ length: Math.min(index, random.below(4)) }, () =>
      Math.min(index - 1, from + random.below(width)),
    );
    const dependsOn = [...new Set(before)];
    steps.push(stepOf(random, index, dependsOn));
    fates.push({
      ...fateOf(random),
      elements: Array.from({ length: 10 }, () => fateOf(random)),
    });
  }
  return { steps, fates };
}

type Value = { value: number; list: number[] } | ({ value: number } | null)[] | null;

interface Came {
  status: string[];
  results: Value[];
  ends: 'completed' | 'failed';
}

const completes = ({ retry }: PlanStep, { failures, asked, rejected }: Fate): boolean =>
  !(asked && rejected) && failures < (retry?.maxAttempts ?? 1);

/** Undefined if the reference has no value. */
const partOf = (result: Value | undefined, name: 'value' | 'list'): unknown =>
  result && !Array.isArray(result) ? result[name] : undefined;

/** The expected end of a step after its prerequisites ended like this. */
// eslint-disable-next-line complexity -- the reference for the comparison is easiest to verify in one piece
function endOf(
  step: PlanStep,
  fate: StepFate,
  { before, first }: { before: (string | undefined)[]; first: Value | undefined },
): { end: string; result?: Value } {
  const { when, arguments: args, forEach, onFailure } = step;
  if (before.includes('failed') || before.includes('missed')) return { end: 'missed' };
  if (before.length > 0 && !before.includes('completed')) return { end: 'left-out' };
  if (when && partOf(first, 'value') !== when.equals) return { end: 'left-out' };
  const list = typeof forEach === 'string' ? partOf(first, 'list') : forEach;
  if (typeof forEach === 'string' && !Array.isArray(list)) return { end: 'failed' };
  const isUsed = (args['before'] as string[]).length > 0;
  const used = isUsed ? partOf(first, 'value') : 0;
  const bad = used === undefined;
  const value = isUsed ? (Number(used) + 1) % 2 : Number(args['index']) % 2;
  if (!Array.isArray(list)) {
    if (bad || !completes(step, fate)) return { end: 'failed' };
    return { end: 'completed', result: { value, list: listAfter(value) } };
  }
  const results = list.map((item: number, element) =>
    !bad && completes(step, fate.elements[element] as Fate)
      ? { value: value + 100 * item + element }
      : null,
  );
  const isBad = results.includes(null) && onFailure !== 'continue';
  return isBad ? { end: 'failed' } : { end: 'completed', result: results };
}

/** Executes the plan sequentially, as the reference. */
function reference({ steps, fates }: Made): Came {
  const ends: string[] = [];
  const results: Value[] = [];
  steps.forEach((step, index) => {
    const { dependsOn } = step;
    const before = dependsOn.map((target) => ends[target]);
    const first = dependsOn[0] === undefined ? undefined : results[dependsOn[0]];
    const { end, result = null } = endOf(step, fates[index] as StepFate, { before, first });
    ends[index] = end;
    results[index] = result;
  });
  const bad = steps.some(
    ({ onFailure }, index) => ends[index] === 'failed' && onFailure !== 'continue',
  );
  const status = ends.map((end) => (['missed', 'left-out'].includes(end) ? 'skipped' : end));
  return { status, results, ends: bad ? 'failed' : 'completed' };
}

interface WorkArguments {
  index: number;
  before: number[];
  item?: number;
  element?: number;
}

/** Creates a catalog of one tool, with rules and answers as the plan demands. */
function worldOf({ fates }: Made) {
  const running = new Set<string>();
  const done = new Set<number>();
  const started: { index: number; done: number[] }[] = [];
  const tries = new Map<string, number>();
  let most = 0;
  const fateAt = (args: Record<string, unknown>): Fate | undefined => {
    const fate = fates[Number(args['index'])];
    return typeof args['element'] === 'number' ? fate?.elements[args['element']] : fate;
  };
  const tool: Tool = {
    name: 'work',
    description: '',
    inputSchema: { type: 'object' },
    effect: 'read',
    async run({ arguments: args }) {
      const { index, before, item, element } = args as unknown as WorkArguments;
      const key = `${index}:${element ?? ''}`;
      started.push({ index, done: [...done] });
      running.add(key);
      most = Math.max(most, running.size);
      for (let turn = 0; turn < index % 5; turn += 1) await new Promise(setImmediate);
      running.delete(key);
      const tried = tries.get(key) ?? 0;
      tries.set(key, tried + 1);
      if (tried < (fateAt(args)?.failures ?? 0)) return { success: false, output: 'Not yet.' };
      const value = before.length > 0 ? ((before[0] ?? 0) + 1) % 2 : index % 2;
      const whole = { value, list: listAfter(value) };
      const ofElement = { value: value + 100 * Number(item) + Number(element) };
      return { success: true, output: JSON.stringify(element === undefined ? whole : ofElement) };
    },
  };
  const gate: CallGate = {
    tools: () => Promise.resolve([tool]),
    judge: ({ arguments: args }) => {
      const asked = fateAt(args)?.asked === true;
      const verdict = asked ? ('ask' as const) : ('allow' as const);
      return Promise.resolve({ verdict, reason: 'So it was made.', suggestedRules: [] });
    },
    granted: () => new Promise(() => undefined),
    remember: () => Promise.resolve(),
    run: (_, args, run) => tool.run({ ...run, arguments: args }),
    ran: () => Promise.resolve(),
    sandboxed: true,
  };
  return { gate, began: started, done, tries, fateAt, most: () => most };
}

async function runPlan(made: Made, concurrency: number) {
  const world = worldOf(made);
  const gates = new GateRegistry({
    isWatched: () => true,
    unwatched: () => undefined,
    graceMs: 60_000,
  });
  const plan = { steps: made.steps };
  const failures = new Map<number, StepFailure>();
  const results = new Map<number, unknown>();
  const recorded: { type: string; index: number; element?: number }[] = [];
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
    doneElements: new Map(),
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
            const decision = world.fateAt(one.arguments)?.rejected ? 'reject' : 'allow_once';
            gates.answer(one, { decision });
          });
    },
    record(type, data) {
      const { index, element, success } = data as {
        index: number;
        element?: number;
        success?: boolean;
      };
      recorded.push({ type, index, ...(element === undefined ? {} : { element }) });
      if (type === 'step_complete' && success && element === undefined) world.done.add(index);
      return Promise.resolve();
    },
  });
  const status = made.steps.map((_, index) => {
    const end = progress.endOf(index);
    return end === 'missed' || end === 'left-out' ? 'skipped' : String(end);
  });
  const came = made.steps.map((_, index) => (results.get(index) ?? null) as Value);
  return {
    status,
    results: came,
    ends: outcomeOfSteps(plan, progress, failures).status,
    world,
    told: recorded,
  };
}

function listKind(list: unknown[]): 'empty' | 'gaps' | 'whole' {
  if (list.length === 0) return 'empty';
  return list.includes(null) ? 'gaps' : 'whole';
}

/** Each element that started has one end and the expected number of attempts. */
interface Recorded {
  type: string;
  index: number;
  element?: number;
}

/** Counts the recorded completions of each element, by its key. */
function completionsOf(recorded: readonly Recorded[]): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { type, index, element } of recorded) {
    if (type !== 'step_complete' || element === undefined) continue;
    const key = `${index}:${element}`;
    ends.set(key, (ends.get(key) ?? 0) + 1);
  }
  return ends;
}

function expectElementsOnce(
  { steps }: Made,
  recorded: readonly Recorded[],
  { tries, fateAt }: ReturnType<typeof worldOf>,
): void {
  const ends = completionsOf(recorded);
  expect([...ends.values()].filter((count) => count !== 1)).toEqual([]);
  for (const [key, count] of tries) {
    const [index = 0, element] = key.split(':').map(Number);
    const isElement = !key.endsWith(':');
    const { failures = 0 } = fateAt(isElement ? { index, element } : { index }) ?? {};
    expect(count).toBe(Math.min(failures + 1, steps[index]?.retry?.maxAttempts ?? 1));
    if (isElement) expect(ends.has(key)).toBe(true);
  }
}

it('500 random plans end as in sequential execution', async () => {
  const random = randomOf(20_261_122);
  const seen = new Set<string>();
  const lists = new Set<string>();
  for (let round = 0; round < 500; round += 1) {
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
      ({ type, element }) =>
        element === undefined && (type === 'step_complete' || type === 'step_skipped'),
    );
    expect(ended.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...made.steps.keys()]);
    for (const one of came.status) seen.add(one);
    expectElementsOnce(made, recorded, world);
    for (const result of came.results) if (Array.isArray(result)) lists.add(listKind(result));
  }
  expect([...seen].sort()).toEqual(['completed', 'failed', 'skipped']);
  expect([...lists].sort()).toEqual(['empty', 'gaps', 'whole']);
});
