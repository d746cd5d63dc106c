import { Select, Switch, TextInput } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PlanStep } from '../../../service/contract/index.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { withData } from '../../state/workflows/graph-edits.ts';
import { useWorkflow } from './workflow-context.ts';
import { JsonField } from './json-field.tsx';
import { ValueMenu } from './value-menu.tsx';

type When = NonNullable<PlanStep['when']>;
const tests = ['equals', 'notEquals', 'exists', 'missing'] as const;
type Test = (typeof tests)[number];

/** Edits the condition under which the step runs. */
export function StepCondition({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor } = useWorkflow();
  const { when } = stepData(node);
  const set = (next: When | undefined) =>
    editor.changeGraph((graph) => withData(graph, node.id, { when: next }), `when ${node.id}`);
  return (
    <div className="flow-when">
      <Switch
        size="xs"
        label={t('flows.onlyWhen')}
        checked={when !== undefined}
        onChange={({ currentTarget: { checked } }) =>
          set(checked ? { value: '', equals: true } : undefined)
        }
      />
      {when && <ConditionFields node={node} when={when} onChange={set} />}
    </div>
  );
}

interface ConditionFieldsProps {
  node: GraphNode;
  when: When;
  onChange: (when: When) => void;
}

function ConditionFields({ node, when, onChange }: ConditionFieldsProps) {
  const { t } = useTranslation();
  const { value } = when;
  const test = testOf(when);
  const compared = test === 'notEquals' ? when.notEquals : when.equals;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <div className="flow-form">
      <div className="flow-input">
        <div className="flow-input-menu">
          <ValueMenu
            node={node}
            label={t('flows.whenValue')}
            isForList
            onChoose={(reference) => onChange({ ...when, value: reference })}
          />
        </div>
        <TextInput
          size="xs"
          className="code-field"
          label={t('flows.whenValue')}
          value={text}
          onChange={(event) => onChange({ ...when, value: event.currentTarget.value })}
        />
      </div>
      <Select
        size="xs"
        label={t('flows.whenTest')}
        allowDeselect={false}
        data={tests.map((one) => ({ value: one, label: t(`flows.test.${one}`) }))}
        value={test}
        onChange={(next) => onChange(whenOf(value, next ?? 'equals', compared))}
      />
      {(test === 'equals' || test === 'notEquals') && (
        <JsonField
          label={t('flows.whenCompared')}
          lines={1}
          value={compared}
          onChange={(next) => onChange(whenOf(value, test, next ?? null))}
        />
      )}
    </div>
  );
}

function testOf({ exists, notEquals }: When): Test {
  if (exists !== undefined) return exists ? 'exists' : 'missing';
  return notEquals === undefined ? 'equals' : 'notEquals';
}

function whenOf(value: unknown, test: Test, compared: unknown): When {
  switch (test) {
    case 'equals':
      return { value, equals: compared ?? true };
    case 'notEquals':
      return { value, notEquals: compared ?? true };
    case 'exists':
      return { value, exists: true };
    case 'missing':
      return { value, exists: false };
  }
}
