import { Button, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { GraphNode } from '../../state/flows/graph.ts';
import { stepData } from '../../state/flows/graph.ts';
import { withData, without } from '../../state/flows/graph-edits.ts';
import { isOpen, kindOf } from '../../state/flows/node-kinds.ts';
import { byNode, ofInput } from '../../state/flows/problems.ts';
import { Note } from '../../ui/frame/note.tsx';
import { useFlow } from './flow-context.ts';
import { InputRow } from './input-row.tsx';
import { JsonField } from './json-field.tsx';
import { StepCondition } from './step-condition.tsx';
import { StepOrder } from './step-order.tsx';
import { StepResult } from './step-result.tsx';
import { fieldMessage } from '../../core/messages/field-messages.ts';

/** All that a person can say about one step. */
export function StepPanel({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor, kinds, problems, steps, select } = useFlow();
  const { id } = node;
  const { nodeType, title = '' } = stepData(node);
  const kind = kindOf(kinds, nodeType);
  const wrong = byNode(problems).get(id) ?? [];
  const step = steps.get(id);
  const general = wrong.filter(({ field }) => !/^inputs\./.test(field));
  return (
    <div className="flow-form">
      <p className="flow-kind untrusted">{kind?.label ?? nodeType}</p>
      {!kind && <Note tone="bad">{t('flows.noKind', { type: nodeType })}</Note>}
      {general.map(({ message }) => (
        <Note key={message} tone="bad">
          <span className="untrusted">{fieldMessage(message)}</span>
        </Note>
      ))}
      <TextInput
        size="xs"
        label={t('flows.stepTitle')}
        placeholder={kind?.label}
        maxLength={500}
        value={title}
        onChange={({ currentTarget: { value } }) =>
          editor.changeGraph(
            (graph) => withData(graph, id, { title: value === '' ? undefined : value }),
            `title ${id}`,
          )
        }
      />
      {kind?.inputs.map((input) => (
        <InputRow
          key={input.name}
          node={node}
          kind={kind}
          input={input}
          fault={ofInput(wrong, input.name)}
        />
      ))}
      {kind && isOpen(nodeType) && <OpenInputs node={node} />}
      <StepOrder node={node} />
      <StepCondition node={node} />
      <FailureChoice node={node} />
      {step && <StepResult step={step} />}
      <Button
        size="xs"
        variant="default"
        className="danger-item"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => {
          editor.changeGraph((graph) => without(graph, new Set([id])));
          select([]);
        }}
      >
        {t('flows.removeStep')}
      </Button>
    </div>
  );
}

/** A tool without a form takes what is written. */
function OpenInputs({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor } = useFlow();
  const { inputs } = stepData(node);
  return (
    <JsonField
      label={t('flows.arguments')}
      value={inputs}
      onChange={(value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
        editor.changeGraph(
          (graph) => withData(graph, node.id, { inputs: { ...value } }),
          `in ${node.id}`,
        );
      }}
    />
  );
}

function FailureChoice({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor } = useFlow();
  const { onFailure = 'fail' } = stepData(node);
  return (
    <Select
      size="xs"
      label={t('flows.onFailure')}
      allowDeselect={false}
      data={(['fail', 'continue'] as const).map((value) => ({
        value,
        label: t(`flows.failure.${value}`),
      }))}
      value={onFailure}
      onChange={(value) => {
        const change = { onFailure: value === 'continue' ? value : undefined };
        editor.changeGraph((graph) => withData(graph, node.id, change));
      }}
    />
  );
}
