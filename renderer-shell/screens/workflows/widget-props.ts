import type { NodeInput, WorkflowNode } from '../../../service/contract/index.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';

/** Properties of every widget that edits one input of a node. */
export interface WidgetProps {
  node: GraphNode;
  kind: WorkflowNode;
  input: NodeInput;
  value: unknown;
  /** Undefined: it is left empty. */
  onChange: (value: unknown) => void;
}
