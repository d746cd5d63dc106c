import type { PluginManifest } from '../../service/contract/index.ts';
import { isObject } from '../../service/core/is-object.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { type Finding, warningAt } from './finding.ts';
import type { ManifestFile } from './manifest-file.ts';

/** Compares workflow nodes with the arguments and results of their tools. */
export function nodeFindings(manifest: PluginManifest, file: ManifestFile): Finding[] {
  return [...inputFindings(manifest, file), ...outputFindings(manifest, file)];
}

/** Finds outputs that the result does not contain, which are empty in every run. */
function outputFindings(manifest: PluginManifest, file: ManifestFile): Finding[] {
  return manifest.flowNodes.flatMap(({ tool, outputs }, node) => {
    const method = manifest.aiTools.find(({ name }) => name === tool)?.method ?? '';
    const result = manifest.methods[method]?.result;
    return outputs.flatMap(({ name, path }, index) => {
      const at = `flowNodes.${node}.outputs.${index}`;
      const isRepeated = outputs.findIndex((one) => one.name === name) < index;
      const repeated = `${at}.name is ${name}, which another output of the node is called. Take another name.`;
      const found = isRepeated
        ? [warningAt('node_output_repeated', file.positionOf(`${at}.name`), repeated)]
        : [];
      const missing = path === undefined ? null : missingStep(path, result);
      if (missing === null) return found;
      const message = `${at}.path is ${path ?? ''}, but the result of ${method} has no ${missing.name}. Correct the path, or add it to methods.${method}.result.`;
      const near = nearest(missing.name, missing.names);
      return [
        ...found,
        warningAt('node_output_unknown', file.positionOf(`${at}.path`), message, near),
      ];
    });
  });
}

/**
 * Returns the first name of the path that the schema does not list; null if the schema does not
 * tell.
 */
function missingStep(path: string, result: unknown): { name: string; names: string[] } | null {
  let schema = result;
  for (const name of path.split('.')) {
    if (!isObject(schema) || !isObject(schema.properties)) return null;
    const { properties, additionalProperties, patternProperties } = schema;
    if (additionalProperties === true || isObject(additionalProperties)) return null;
    if (patternProperties !== undefined) return null;
    if (!Object.hasOwn(properties, name)) return { name, names: Object.keys(properties) };
    schema = properties[name];
  }
  return null;
}

/** Finds inputs that are not arguments of the tool, with which a run fails. */
function inputFindings(manifest: PluginManifest, file: ManifestFile): Finding[] {
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
          file.positionOf(path),
          message,
          nearest(name, schema.names),
        );
      }),
      ...missing.map((name) => {
        const path = `flowNodes.${node}.inputs`;
        const message = `${path} has no input for ${name}, which the tool ${tool} requires. Add one.`;
        return warningAt('node_input_missing', file.positionOf(path), message);
      }),
    ];
  });
}

interface Arguments {
  names: string[];
  required: string[];
  /** True if the tool rejects all other names. */
  isClosed: boolean;
}

/** Returns the arguments of a tool; null if its schema does not list them. */
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
