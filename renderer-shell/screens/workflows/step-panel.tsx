import { Button, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { WorkflowNode } from '../../../service/contract/index.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { withData, without } from '../../state/workflows/graph-edits.ts';
import { isToolNode, kindOf } from '../../state/workflows/node-kinds.ts';
import { byNode, inputProblem } from '../../state/workflows/problems.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { useWorkflow } from './workflow-context.ts';
import { InputRow } from './input-row.tsx';
import { JsonField } from './json-field.tsx';
import { StepCondition } from './step-condition.tsx';
import { StepElements } from './step-elements.tsx';
import { StepOrder } from './step-order.tsx';
import { StepResult } from './step-result.tsx';
import { fieldText } from '../../core/messages/host-message.ts';

/** Shows all fields of one step. */
export function StepPanel({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor, kinds, problems, steps, select } = useWorkflow();
  const { id } = node;
  const { nodeType, title = '' } = stepData(node);
  const kind = kindOf(kinds, nodeType);
  const stepProblems = byNode(problems).get(id) ?? [];
  const step = steps.get(id);
  const general = stepProblems.filter(({ field }) => !/^inputs\./.test(field));
  return (
    <div className="flow-form">
      <p className="flow-kind untrusted">{kind?.label ?? nodeType}</p>
      {!kind && <Alert tone="bad">{t('flows.noKind', { type: nodeType })}</Alert>}
      {general.map((problem) => (
        <Alert key={problem.message} tone="bad">
          <span className="untrusted">{fieldText(problem)}</span>
        </Alert>
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
          fieldError={inputProblem(stepProblems, input.name)}
        />
      ))}
      {kind && isToolNode(nodeType) && hasOtherInputs(node, kind) && <OpenInputs node={node} />}
      <StepOrder node={node} />
      <StepCondition node={node} />
      <StepElements node={node} />
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

/** Returns true if the step has arguments without a field in the form. */
function hasOtherInputs(node: GraphNode, { inputs }: WorkflowNode): boolean {
  const fieldNames = new Set(inputs.map(({ name }) => name));
  return (
    fieldNames.size === 0 ||
    Object.keys(stepData(node).inputs).some((name) => !fieldNames.has(name))
  );
}

/** Edits the arguments of a tool without a form. */
function OpenInputs({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor } = useWorkflow();
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
  const { editor } = useWorkflow();
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
