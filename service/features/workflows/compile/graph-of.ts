import type {
  AgentPlan,
  WorkflowGraph,
  PlanStep,
  WorkflowLayout,
} from '../../../contract/index.ts';
import { type Reference, ReferenceProblem, replaceReferences } from '../../../core/references.ts';
import { argumentsOf } from './input-values.ts';
import { type NodeType, type NodeTypes, typeOfTool } from './node-types.ts';
import { referenceTo } from './connect.ts';
import { extrasOf } from './read-graph.ts';

const columnWidth = 320;
const rowHeight = 160;

/**
 * Returns a graph that compiles to the plan again: a node for each step, of the first type whose
 * form fits the arguments, and an edge for each dependency. If the steps are in a different order
 * than the canvas would give them, only their order may change.
 */
export function graphOf(plan: AgentPlan, layout: WorkflowLayout, types: NodeTypes): WorkflowGraph {
  const ids = idsOf(plan.steps);
  const levels = levelsOf(plan.steps);
  const nodes = plan.steps.map((step, index) => ({
    id: ids[index] ?? '',
    position: layout[String(index)] ?? {
      x: (levels[index] ?? 0) * columnWidth,
      y: index * rowHeight,
    },
    data: dataOf(step, ids, types),
  }));
  const edges = plan.steps.flatMap((step, index) =>
    step.dependsOn.map((source) => ({
      id: `${source}-${index}`,
      source: ids[source] ?? '',
      target: ids[index] ?? '',
    })),
  );
  return { nodes, edges };
}

/** Returns the ids of the steps; steps without one get a unique id. */
function idsOf(steps: readonly PlanStep[]): string[] {
  const taken = new Set(steps.flatMap(({ id }) => id ?? []));
  return steps.map(({ id }, index) => {
    if (id !== undefined) return id;
    let own = `step-${index}`;
    while (taken.has(own)) own += '-';
    taken.add(own);
    return own;
  });
}

/** Returns the longest chain of dependencies before each step; cycles are cut. */
function levelsOf(steps: readonly PlanStep[]): number[] {
  const levels = steps.map(() => 0);
  for (let round = 0; round < steps.length; round += 1) {
    const next = steps.map(({ dependsOn }) =>
      dependsOn.reduce((level, source) => Math.max(level, (levels[source] ?? -1) + 1), 0),
    );
    if (next.every((level, index) => level === levels[index])) break;
    next.forEach((level, index) => (levels[index] = level));
  }
  return levels;
}

function dataOf(step: PlanStep, ids: readonly string[], types: NodeTypes): Record<string, unknown> {
  const { arguments: args, when: condition, forEach: list } = step;
  const { inputs, when, forEach } = withIds({ inputs: args, when: condition, forEach: list }, ids);
  return {
    nodeType: typeFor(step, types),
    inputs,
    ...(step.title !== '' && { title: step.title }),
    ...(when && { when }),
    ...(forEach === undefined ? {} : { forEach }),
    ...extrasOf(step),
  };
}

function typeFor(step: PlanStep, types: NodeTypes): string {
  const { tool } = step;
  const fitting = [...types.values()].find((type) => type.tool === tool && fits(type, step));
  return fitting?.type ?? typeOfTool(tool);
}

/** Returns true if a form reproduces exactly these arguments. */
function fits(type: NodeType, { arguments: args, forEach }: PlanStep): boolean {
  const filled = argumentsOf(type, args, new Map(), { element: forEach !== undefined });
  const names = Object.keys(filled.arguments);
  return filled.problems.length === 0 && names.length === Object.keys(args).length;
}

function withIds<T>(value: T, ids: readonly string[]): T {
  try {
    return replaceReferences(value, (reference) => named(reference, ids)) as T;
  } catch (error) {
    // The text stays as it is, and compiling reports the problem.
    if (error instanceof ReferenceProblem) return value;
    throw error;
  }
}

function named({ text, source, key }: Reference, ids: readonly string[]): string {
  const id = source === 'steps' ? ids[Number(key)] : undefined;
  if (id === undefined || referenceTo(id, undefined) === null) return `{{${text}}}`;
  return `{{${text.replace(/^steps\.\d+/, () => `node.${id}`)}}}`;
}
