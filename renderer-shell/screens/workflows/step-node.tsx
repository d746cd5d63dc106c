import type { NodeProps } from '@xyflow/react';
import { Handle, Position } from '@xyflow/react';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { stepData } from '../../state/workflows/graph.ts';
import type { StepCanvasNode } from './canvas-nodes.ts';
import { NodeIcon } from './node-icon.tsx';
import { StepMark } from './step-mark.tsx';

/** Shows a step on the canvas: its title, inputs, outputs and status. */
export function StepNode({ data, selected }: NodeProps<StepCanvasNode>) {
  const { t } = useTranslation();
  const { kind, title, problems, step } = data;
  return (
    <div
      className="flow-step"
      data-selected={selected}
      data-status={step?.status}
      data-wrong={problems.length > 0}
    >
      <div className="flow-step-head">
        <Handle type="target" position={Position.Left} title={t('flows.handleIn')} />
        <NodeIcon kind={kind} />
        <span className="flow-step-title untrusted">{title}</span>
        {problems.length > 0 && (
          <span
            className="flow-step-wrong"
            title={problems.map(({ message }) => message).join('\n')}
          >
            <IconAlertTriangle size={16} aria-hidden />
            <span className="visually-hidden">
              {t('flows.problems', { count: problems.length })}
            </span>
          </span>
        )}
        {step && <StepMark step={step} />}
        <Handle type="source" position={Position.Right} title={t('flows.handleOut')} />
      </div>
      {kind && kind.inputs.length + kind.outputs.length > 0 && <Ports data={data} kind={kind} />}
    </div>
  );
}

type PortsProps = {
  data: StepCanvasNode['data'];
  kind: NonNullable<StepCanvasNode['data']['kind']>;
};

function Ports({ data: { node, wired, problems }, kind }: PortsProps) {
  const { inputs } = stepData(node);
  const connected = new Set(wired.split('\n'));
  const invalidInputs = new Set(problems.map(({ field }) => field.split('.')[1] ?? ''));
  return (
    <div className="flow-ports">
      {kind.inputs.map(({ name, label, widget, required }) => (
        <div
          key={`in ${name}`}
          className="flow-port"
          data-side="in"
          data-wrong={invalidInputs.has(name)}
          data-kind={widget}
        >
          <Handle type="target" position={Position.Left} id={name} />
          <span className="flow-port-name untrusted">
            {label}
            {required === true && <span aria-hidden> *</span>}
          </span>
          {!connected.has(name) && (
            <span className="flow-port-value untrusted">{excerptOf(inputs[name])}</span>
          )}
        </div>
      ))}
      {kind.outputs.map(({ name, label, branch }) => (
        <div
          key={`out ${name}`}
          className="flow-port"
          data-side="out"
          data-branch={branch !== undefined}
        >
          <span className="flow-port-name untrusted">{label}</span>
          <Handle type="source" position={Position.Right} id={name} />
        </div>
      ))}
    </div>
  );
}

const maxLength = 80;

/** Returns the beginning of a value as text. */
function excerptOf(value: unknown): string {
  if (value === undefined || value === '') return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, maxLength);
}
