import '@xyflow/react/dist/style.css';
import './plan-graph.css';
import type { Edge, Node, NodeProps } from '@xyflow/react';
import { Controls, Handle, Position, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import type { GraphStep } from './layout-steps.ts';
import { nodeHeight, nodeWidth, layoutSteps } from './layout-steps.ts';

/** Props of the graph of a plan. */
export interface PlanGraphProps {
  label: string;
  steps: readonly GraphStep[];
}

type StepNode = Node<{ step: GraphStep; index: number }, 'step'>;

/** Shows a plan as a read-only graph with dependencies and the status of each step. */
export function PlanGraph({ label, steps }: PlanGraphProps) {
  // The layout changes only with the dependencies.
  const shape = JSON.stringify(steps.map(({ dependsOn }) => dependsOn));
  const positions = useMemo(() => layoutSteps(stepsOf(shape)), [shape]);
  const nodes = steps.map((step, index): StepNode => {
    const position = positions[index] ?? { x: 0, y: 0 };
    return {
      id: String(index),
      type: 'step',
      position,
      data: { step, index },
      width: nodeWidth,
      height: nodeHeight,
      ariaLabel: `${index + 1}: ${step.title}`,
    };
  });
  const edges = steps.flatMap(({ dependsOn }, index) =>
    dependsOn.map((target): Edge => {
      return { id: `${target}-${index}`, source: String(target), target: String(index) };
    }),
  );
  return (
    <div className="plan-graph" role="group" aria-label={label}>
      <ReactFlow
        key={shape}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
      >
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

const stepsOf = (shape: string): { dependsOn: number[] }[] =>
  (JSON.parse(shape) as number[][]).map((dependsOn) => ({ dependsOn }));

function StepCard({ data: { step, index } }: NodeProps<StepNode>) {
  return (
    <div className="graph-step" data-status={step.status}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <span className="step-number">{index + 1}</span>
      <span className="graph-title untrusted">{step.title}</span>
      <span className="graph-tool untrusted">{step.tool}</span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

const nodeTypes = { step: StepCard };
