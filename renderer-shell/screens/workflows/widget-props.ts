import type { NodeInput, WorkflowNode } from '../../../service/contract/index.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';

/** Props of the field of an input. */
export interface WidgetProps {
  node: GraphNode;
  kind: WorkflowNode;
  input: NodeInput;
  value: unknown;
  /** Undefined if it is empty. */
  onChange: (value: unknown) => void;
}
