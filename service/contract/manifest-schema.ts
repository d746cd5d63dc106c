import { z } from 'zod';
import { PluginManifest } from './manifest.ts';
import { manifestFields } from './manifest-fields.ts';

type Schema = Record<string, unknown>;

/**
 * The JSON Schema of `manifest.json` for editors, with a description of every field. Keys that the
 * host does not know are marked as errors.
 */
export function manifestSchema(): Schema {
  const schema = z.toJSONSchema(PluginManifest, { io: 'input', unrepresentable: 'any' });
  const complete = {
    ...schema,
    title: 'Manifest of a plugin',
    properties: { $schema: { type: 'string' }, ...schema.properties },
    additionalProperties: false,
  };
  describe(complete, '');
  return complete;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function describe(schema: Schema, path: string): void {
  if (isSchema(schema['properties']))
    for (const [name, field] of Object.entries(schema['properties'])) {
      if (!isSchema(field)) continue;
      const at = path === '' ? name : `${path}.${name}`;
      if (manifestFields[at] !== undefined) field['description'] = manifestFields[at];
      describe(field, at);
    }
  if (isSchema(schema['items'])) describe(schema['items'], `${path}[]`);
  if (isSchema(schema['additionalProperties']))
    describe(schema['additionalProperties'], `${path}.*`);
  if (Array.isArray(schema['anyOf']))
    for (const one of schema['anyOf']) if (isSchema(one)) describe(one, path);
}
