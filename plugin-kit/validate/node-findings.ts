import type { PluginManifest } from '../../service/contract/index.ts';
import { isObject } from '../../service/core/is-object.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { type Finding, warningAt } from './finding.ts';
import type { ManifestFile } from './manifest-file.ts';

/** Fields of workflow nodes compared with the arguments of their tools: a run with others fails. */
export function nodeFindings(manifest: PluginManifest, file: ManifestFile): Finding[] {
  return manifest.flowNodes.flatMap(({ tool, inputs }, node) => {
    const schema = argumentsOf(manifest, tool);
    if (schema === null) return [];
    const names = inputs.map(({ name }) => name);
    const unknown = schema.isClosed ? names.filter((name) => !schema.names.includes(name)) : [];
    const missing = schema.required.filter((name) => !names.includes(name));
    return [
      ...unknown.map((name) => {
        const path = `flowNodes.${node}.inputs.${names.indexOf(name)}.name`;
        const message = `${path} is ${name}, which the tool ${tool} does not take. Correct the name, or add it to the schema of the tool.`;
        return warningAt(
          'node_input_unknown',
          file.place(path),
          message,
          nearest(name, schema.names),
        );
      }),
      ...missing.map((name) => {
        const path = `flowNodes.${node}.inputs`;
        const message = `${path} has no input for ${name}, which the tool ${tool} requires. Add one.`;
        return warningAt('node_input_missing', file.place(path), message);
      }),
    ];
  });
}

interface Arguments {
  names: string[];
  required: string[];
  /** Whether the tool refuses all other names. */
  isClosed: boolean;
}

/** Null where the schema does not list them. */
function argumentsOf({ aiTools, methods }: PluginManifest, tool: string): Arguments | null {
  const found = aiTools.find(({ name }) => name === tool);
  if (found === undefined) return null;
  const schema = found.inputSchema ?? methods[found.method]?.params;
  const properties = schema?.['properties'];
  if (schema === undefined || !isObject(properties)) return null;
  const { required } = schema;
  return {
    names: Object.keys(properties),
    required: Array.isArray(required) ? required.map(String) : [],
    isClosed: schema['additionalProperties'] === false,
  };
}
