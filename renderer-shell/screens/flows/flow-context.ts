import { createContext, useContext } from 'react';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { FlowBook } from '../../state/flows/flow-book.ts';
import type { FlowContent } from '../../state/flows/flow-content.ts';
import type { EditorState, FlowEditor } from '../../state/flows/flow-editor.ts';
import type { NodeKinds } from '../../state/flows/node-kinds.ts';
import type { PlacedProblem } from '../../state/flows/problems.ts';
import type { StepView } from '../../state/flows/run-view.ts';

export const panels = ['step', 'inputs', 'run', 'chat', 'history'] as const;
export type Panel = (typeof panels)[number];

/** The workflow that is open, and what of it a person looks at. */
export interface Flow {
  book: FlowBook;
  editor: FlowEditor;
  kinds: NodeKinds;
  state: EditorState;
  content: FlowContent;
  problems: readonly PlacedProblem[];
  run: AgentRun | null;
  /** What the steps of the run do, by the id of their node. */
  steps: ReadonlyMap<string, StepView>;
  selection: ReadonlySet<string>;
  select: (ids: Iterable<string>) => void;
  panel: Panel | null;
  open: (panel: Panel | null) => void;
  narrow: boolean;
}

export const FlowContext = createContext<Flow | null>(null);

export function useFlow(): Flow {
  const flow = useContext(FlowContext);
  if (!flow) throw new Error('useFlow is used outside of a workflow');
  return flow;
}
