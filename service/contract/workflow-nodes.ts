import { z } from 'zod';
import { NodeDefinition, NodeInput, NodeOutput } from './manifest.ts';
import { ValueType } from './value-types.ts';

/** Possible types of the value; absent: any, or unknown. */
const types = z.array(ValueType).optional();

/** A node that can be placed: of the host, of an enabled plugin, or for a tool of the catalog. */
export const WorkflowNode = NodeDefinition.extend({
  inputs: z.array(NodeInput.extend({ types })),
  outputs: z.array(NodeOutput.extend({ types })),
  /** Types of the whole result. */
  resultTypes: types,
  pluginId: z.string().nullable(),
  /** Group of a node for a tool: `tools`, `mcp:<server>` or `plugin:<id>`. */
  group: z.string().optional(),
  /** Description of the tool. */
  description: z.string().optional(),
});
export type WorkflowNode = z.output<typeof WorkflowNode>;

export const NodeOption = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]),
  label: z.string(),
  secondary: z.string().optional(),
});
export type NodeOption = z.output<typeof NodeOption>;

/**
 * `x-host-enum` of an input: a tool of a plugin that returns a list, and the path of the labels in
 * it.
 */
export const HostEnum = z.looseObject({
  tool: z.string().min(1).max(300),
  value: z.string().max(300).optional(),
  label: z.string().max(300).optional(),
  labelSecondary: z.string().max(300).optional(),
});
export type HostEnum = z.output<typeof HostEnum>;
