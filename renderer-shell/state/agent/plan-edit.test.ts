import { describe, expect, it } from 'vitest';
import type { AgentPlan } from '../../../service/contract/index.ts';
import type { EditedPlan } from './plan-edit.ts';
import {
  addStep,
  changeStep,
  editedPlan,
  errorsByStep,
  moveStep,
  planOf,
  removeStep,
} from './plan-edit.ts';

const step = (tool: string, dependsOn: number[] = [], args: Record<string, unknown> = {}) => ({
  title: tool,
  tool,
  arguments: args,
  dependsOn,
});

const plan: AgentPlan = {
  goal: 'Count',
  steps: [
    step('read'),
    step('count', [0], { text: 'steps.0.result.text', note: 'All of {{ steps.0.result }}.' }),
    {
      ...step('tell', [1], { words: '{{steps.1.result.words}}', said: 'steps.1.result is a word' }),
      when: { value: 'steps.1.result["words"]', notEquals: 0 },
      retry: { maxAttempts: 2, delaySeconds: 1 },
    },
  ],
};

const keyOf = ({ steps }: EditedPlan, tool: string): string =>
  steps.find((one) => one.tool === tool)?.key ?? '';

function made(edited: EditedPlan): AgentPlan {
  const read = planOf(edited);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.plan;
}

describe('a plan that is edited', () => {
  it('stays the same plan without changes', () => {
    expect(made(editedPlan(plan))).toEqual(plan);
  });

  it('preserves references when steps are reordered', () => {
    const edited = editedPlan(plan);
    const moved = made(moveStep(edited, keyOf(edited, 'count'), -1));
    expect(moved.steps.map(({ tool }) => tool)).toEqual(['count', 'read', 'tell']);
    expect(moved.steps[0]).toMatchObject({
      dependsOn: [1],
      arguments: { text: 'steps.1.result.text', note: 'All of {{ steps.1.result }}.' },
    });
    expect(moved.steps[2]).toMatchObject({
      dependsOn: [0],
      arguments: { words: '{{steps.0.result.words}}', said: 'steps.1.result is a word' },
      when: { value: 'steps.0.result["words"]', notEquals: 0 },
    });
  });

  it('adds a step that depends on the previous one', () => {
    const edited = editedPlan(plan);
    const [more, key] = addStep(edited, keyOf(edited, 'read'));
    const added = made(changeStep(more, key, { tool: 'wait' }));
    expect(added.steps.map(({ dependsOn }) => dependsOn)).toEqual([[], [0], [0], [2]]);
    expect(added.steps[3]?.arguments).toMatchObject({ words: '{{steps.2.result.words}}' });
  });

  it('reports references to a deleted step, and preserves the order', () => {
    const edited = editedPlan(plan);
    const shortened = removeStep(edited, keyOf(edited, 'count'));
    const notifyKey = keyOf(shortened, 'tell');
    expect(planOf(shortened)).toEqual({
      errors: {
        [notifyKey]: [
          { path: 'arguments', message: 'deleted' },
          { path: 'when', message: 'deleted' },
        ],
      },
    });
    const repaired = made(
      changeStep(shortened, notifyKey, { arguments: '{"words": 1}', when: '' }),
    );
    expect(repaired.steps[1]).toMatchObject({ tool: 'tell', dependsOn: [0] });
    expect(repaired.steps[1]).not.toHaveProperty('when');
  });

  it('reports arguments that are not JSON, and violations of the contract', () => {
    const edited = editedPlan(plan);
    const count = keyOf(edited, 'count');
    const broken = planOf(changeStep(edited, count, { arguments: '{"text": ' }));
    expect(broken).toEqual({ errors: { [count]: [{ path: 'arguments', message: 'noJson' }] } });
    const empty = planOf(changeStep(edited, count, { tool: ' ' }));
    expect(empty).toMatchObject({ errors: { [count]: [{ path: 'tool' }] } });
  });

  it('maps problems of the service to the steps', () => {
    const { steps } = editedPlan(plan);
    const problems = [
      { path: 'steps.1.arguments.text', message: 'is missing' },
      { path: 'steps', message: 'are too many' },
    ];
    expect(errorsByStep(steps, problems)).toEqual({
      [steps[1]?.key ?? '']: [{ path: 'arguments.text', message: 'is missing' }],
      '': [{ path: 'steps', message: 'are too many' }],
    });
  });
});

it('a list is JSON or a reference, which follows its step when others are moved', () => {
  const listed: AgentPlan = {
    steps: [step('read'), { ...step('tell', [0]), forEach: 'steps.0.result.items' }],
  };
  const edited = editedPlan(listed);
  expect(made(edited)).toEqual(listed);
  const [added] = addStep(edited, keyOf(edited, 'read'));
  const moved = moveStep(added, keyOf(added, 'read'), 1);
  const named = changeStep(moved, moved.steps[0]?.key ?? '', { tool: 'wait' });
  expect(made(named).steps[2]?.forEach).toBe('steps.1.result.items');
  const key = keyOf(edited, 'tell');
  const withList = (forEach: string) =>
    made(changeStep(edited, key, { forEach })).steps[1]?.forEach;
  expect(withList('{{steps.0.result}}')).toBe('{{steps.0.result}}');
  expect(withList('["a", {"b": 1}]')).toEqual(['a', { b: 1 }]);
  expect(withList(' ')).toBeUndefined();
  expect(planOf(changeStep(edited, key, { forEach: '["a"' }))).toMatchObject({
    errors: { [key]: [{ path: 'forEach', message: 'noJson' }] },
  });
});
