import type { HostMessage } from '../../../service/contract/host-message.ts';
import type { Problem } from '../../../service/contract/index.ts';
import { fieldText } from '../../core/messages/host-message.ts';
import type { Graph } from './graph.ts';

export type WorkflowProblem = NonNullable<Problem['errors']>[number];

/** A problem with its location: a field of a node, or the workflow as a whole. */
export interface LocatedProblem {
  /** Null if it does not belong to a node. */
  nodeId: string | null;
  /**
   * A field such as `inputs.url` or `when`; for the workflow as a whole, the path from the service.
   */
  field: string;
  message: string;
  text?: HostMessage | undefined;
}

/** Ids may contain dots, so the longest matching one is used. */
export function locateProblems(
  problems: readonly WorkflowProblem[],
  { nodes }: Graph,
): LocatedProblem[] {
  const ids = nodes.map(({ id }) => id).toSorted((one, other) => other.length - one.length);
  return problems.map(({ path, message, text }) => {
    const nodeId = ids.find((id) => path === `nodes.${id}` || path.startsWith(`nodes.${id}.`));
    if (nodeId === undefined) return { nodeId: null, field: path, message, text };
    return { nodeId, field: path.slice(`nodes.${nodeId}.`.length), message, text };
  });
}

export function byNode(problems: readonly LocatedProblem[]): Map<string, LocatedProblem[]> {
  const found = new Map<string, LocatedProblem[]>();
  for (const problem of problems) {
    if (problem.nodeId === null) continue;
    found.set(problem.nodeId, [...(found.get(problem.nodeId) ?? []), problem]);
  }
  return found;
}

/** Returns the problem of one input of a node, or of a value inside of it. */
export function inputProblem(problems: readonly LocatedProblem[], name: string): string | null {
  const field = `inputs.${name}`;
  const found = problems.find((one) => one.field === field || one.field.startsWith(`${field}.`));
  return found === undefined ? null : fieldText(found);
}
