import type { FlowInput, WorkflowNode } from '../../../service/contract/index.ts';
import type { GraphNode } from '../../state/flows/graph.ts';

export interface WidgetProps {
  node: GraphNode;
  kind: WorkflowNode;
  input: FlowInput;
  value: unknown;
  /** Undefined: it is left empty. */
  onChange: (value: unknown) => void;
}
