import { isObject } from '../../core/json.ts';
import type { InputSchema } from '../../../service/contract/index.ts';
import { doneBefore, refusalOf } from './connecting.ts';
import type { Graph, GraphNode } from './graph.ts';
import { isNote, stepData } from './graph.ts';
import { referenceTo } from './reference-to.ts';
import type { NodeKinds } from './node-kinds.ts';
import { kindOf, titleOf } from './node-kinds.ts';

/**
 * A value that an input can refer to: an input of the workflow, or the result of an earlier step.
 */
export interface OfferedValue {
  /** `{{…}}` */
  reference: string;
  /** The step that produces it; null for the workflow's inputs. */
  from: { id: string; title: string } | null;
  /** Null for the entire result. */
  name: string | null;
  /** True if choosing it also connects the steps. */
  connects: boolean;
}

/**
 * Returns the values that the inputs of a step can refer to, in the order in which they become
 * available.
 */
export function offeredValues(
  graph: Graph,
  kinds: NodeKinds,
  { id, inputSchema }: { id: string; inputSchema: InputSchema },
): OfferedValue[] {
  const before = doneBefore(graph, id);
  const inputs = Object.keys(propertiesIn(inputSchema)).map((name): OfferedValue => ({
    reference: `{{inputs.${name}}}`,
    from: null,
    name,
    connects: false,
  }));
  const others = graph.nodes.filter((node) => node.id !== id && !isNote(node));
  const steps = others.flatMap((node) => {
    const connects = !before.has(node.id);
    if (connects && refusalOf(graph, kinds, { source: node.id, target: id }) !== null) return [];
    return valuesOf(node, kinds).map((value) => ({ ...value, connects }));
  });
  return [
    ...inputs,
    ...steps.filter((one) => !one.connects),
    ...steps.filter((one) => one.connects),
  ];
}

function valuesOf(node: GraphNode, kinds: NodeKinds): Omit<OfferedValue, 'connects'>[] {
  const { id } = node;
  if (/[.[\]{}\s]/.test(id)) return [];
  const from = { id, title: titleOf(node, kinds) };
  const outputs = kindOf(kinds, stepData(node).nodeType)?.outputs ?? [];
  const named = outputs.flatMap(({ label, path, branch }) =>
    branch !== undefined || path === undefined || path === ''
      ? []
      : [{ reference: referenceTo(id, path), from, name: label }],
  );
  return [...named, { reference: referenceTo(id, ''), from, name: null }];
}

const propertiesIn = ({ properties }: InputSchema): Record<string, unknown> =>
  isObject(properties) ? properties : {};
