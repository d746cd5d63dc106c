import { typesOf, type ValueType, type WorkflowNode } from '../../../contract/index.ts';
import { parseReference, ReferenceProblem } from '../../../core/references.ts';
import type { Tool } from '../../tools/index.ts';
import { type Schema, schemaAt } from './schemas.ts';

/** Adds the types of inputs and outputs from the schemas of the node's tool. */
export function withTypes(
  node: WorkflowNode,
  tool: Pick<Tool, 'inputSchema' | 'resultSchema'> | undefined,
): WorkflowNode {
  if (tool === undefined) return node;
  const { inputSchema, resultSchema } = tool;
  return {
    ...node,
    inputs: node.inputs.map((input) => ({
      ...input,
      ...named('types', schemaAt(inputSchema, [input.name])),
    })),
    outputs: node.outputs.map((output) => ({
      ...output,
      ...named('types', schemaAt(resultSchema, pathOf(output.path ?? ''))),
    })),
    ...named('resultTypes', resultSchema),
  };
}

function named<N extends string>(name: N, schema: Schema): Partial<Record<N, ValueType[]>> {
  const types = typesOf(schema);
  return types === null ? {} : ({ [name]: types } as Partial<Record<N, ValueType[]>>);
}

/** An invalid path counts as a field without a schema. */
function pathOf(path: string): string[] {
  if (path === '') return [];
  try {
    return parseReference(`last.result${path.startsWith('[') ? '' : '.'}${path}`)?.path ?? [path];
  } catch (error) {
    if (error instanceof ReferenceProblem) return [path];
    throw error;
  }
}
