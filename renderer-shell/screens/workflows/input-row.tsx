import { Button } from '@mantine/core';
import { IconUnlink } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NodeInput, WorkflowNode } from '../../../service/contract/index.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { withInput, without } from '../../state/workflows/graph-edits.ts';
import { wireInto } from '../../state/workflows/conversions.ts';
import { kindOf, outputOf, titleOf } from '../../state/workflows/node-kinds.ts';
import { useWorkflow } from './workflow-context.ts';
import { ConversionButtons } from './conversion-buttons.tsx';
import { ValueMenu } from './value-menu.tsx';
import { Widget } from './widget.tsx';

interface InputRowProps {
  node: GraphNode;
  kind: WorkflowNode;
  input: NodeInput;
  fieldError: string | null;
}

/** Shows one input of a step: its field, or the source of its value. */
export function InputRow({ node, kind, input, fieldError }: InputRowProps) {
  const { editor, content, kinds } = useWorkflow();
  const { name } = input;
  const value = stepData(node).inputs[name];
  const set = (next: unknown) =>
    editor.changeGraph(
      (graph) => withInput(graph, node.id, name, next),
      `input ${node.id} ${name}`,
    );
  const edge = content.graph.edges.find(
    ({ target, targetHandle }) => target === node.id && targetHandle === name,
  );
  const wire = wireInto(content.graph, kinds, node, name);
  if (edge) return <Wired node={node} input={input} edgeId={edge.id} fieldError={fieldError} />;
  return (
    <div className="flow-input" data-wrong={fieldError !== null}>
      <div className="flow-input-menu">
        <ValueMenu
          node={node}
          label={input.label}
          onChoose={(reference) => set(put(input, value, reference))}
        />
      </div>
      <Widget node={node} kind={kind} input={input} value={value} onChange={set} />
      {fieldError !== null && (
        <p className="flow-fault untrusted" role="alert">
          {fieldError}
        </p>
      )}
      {wire && <ConversionButtons wire={wire} />}
    </div>
  );
}

/** Appends the reference to existing text; in other inputs it replaces the value. */
function put({ widget }: NodeInput, value: unknown, reference: string): unknown {
  const isText = widget === 'text' || widget === 'textarea';
  if (!isText || typeof value !== 'string' || value === '') return reference;
  return /\s$/.test(value) ? value + reference : `${value} ${reference}`;
}

interface WiredProps {
  node: GraphNode;
  input: NodeInput;
  edgeId: string;
  fieldError: string | null;
}

function Wired({ input, edgeId, fieldError }: WiredProps) {
  const { t } = useTranslation();
  const { editor, content, kinds } = useWorkflow();
  const { edges, nodes } = content.graph;
  const edge = edges.find(({ id }) => id === edgeId);
  const source = nodes.find(({ id }) => id === edge?.source);
  const output = outputOf(source && kindOf(kinds, stepData(source).nodeType), edge?.sourceHandle);
  const from = source ? titleOf(source, kinds) : '';
  return (
    <div className="flow-input" data-wrong={fieldError !== null}>
      <p className="flow-label untrusted">{input.label}</p>
      <div className="flow-wired">
        <span className="untrusted">
          {output
            ? t('flows.comesFrom', { from, output: output.label })
            : t('flows.comesWhole', { from })}
        </span>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconUnlink size={14} aria-hidden />}
          aria-label={t('flows.disconnectInput', { name: input.label })}
          onClick={() => editor.changeGraph((graph) => without(graph, new Set([edgeId])))}
        >
          {t('flows.disconnect')}
        </Button>
      </div>
      {fieldError !== null && <p className="flow-fault untrusted">{fieldError}</p>}
      {edge && <ConversionButtons wire={edge} />}
    </div>
  );
}
