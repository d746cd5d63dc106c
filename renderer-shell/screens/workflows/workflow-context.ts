import { createContext, useContext } from 'react';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { Workflows } from '../../state/workflows/workflows.ts';
import type { WorkflowContent } from '../../state/workflows/workflow-content.ts';
import type { EditorState, WorkflowEditor } from '../../state/workflows/workflow-editor.ts';
import type { NodeKinds } from '../../state/workflows/node-kinds.ts';
import type { LocatedProblem } from '../../state/workflows/problems.ts';
import type { StepView } from '../../state/workflows/run-view.ts';

export const panels = ['step', 'inputs', 'run', 'chat', 'schedule', 'history'] as const;
export type Panel = (typeof panels)[number];

/** The open workflow with its selection and visible panel. */
export interface OpenWorkflow {
  workflows: Workflows;
  editor: WorkflowEditor;
  kinds: NodeKinds;
  state: EditorState;
  content: WorkflowContent;
  problems: readonly LocatedProblem[];
  run: AgentRun | null;
  /** Steps of the run, by the id of their node. */
  steps: ReadonlyMap<string, StepView>;
  selection: ReadonlySet<string>;
  select: (ids: Iterable<string>) => void;
  panel: Panel | null;
  open: (panel: Panel | null) => void;
  narrow: boolean;
}

export const WorkflowContext = createContext<OpenWorkflow | null>(null);

export function useWorkflow(): OpenWorkflow {
  const workflow = useContext(WorkflowContext);
  if (!workflow) throw new Error('useFlow is used outside of a workflow');
  return workflow;
}
