import { z } from 'zod';
import { PluginManifest } from './manifest.ts';

/** The JSON Schema of `manifest.json`, for editors. Keys that the host does not know are marked there. */
export function manifestSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(PluginManifest, { io: 'input', unrepresentable: 'any' });
  return {
    ...schema,
    title: 'Manifest of a plugin',
    properties: { $schema: { type: 'string' }, ...schema.properties },
    additionalProperties: false,
  };
}
