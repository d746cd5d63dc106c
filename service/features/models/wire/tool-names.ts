import { createHash } from 'node:crypto';
import type { ModelRequest, ModelTool } from '../model-backend.ts';
import { plainSchema } from './plain-schema.ts';
import type { ServerCapabilities } from './server-capabilities.ts';

/** Tool names that every server accepts. */
const plain = /^[a-zA-Z0-9_-]{1,64}$/;
const hashLength = 8;

/** Converts a name to a valid one; the result is always the same for the same name. */
export function wireName(name: string): string {
  if (plain.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64 - hashLength - 1)}_${hash}`;
}

/** Returns a function that converts names back. */
export function ownNames(tools: readonly ModelTool[]): (wire: string) => string {
  const own = new Map(tools.map(({ name }) => [wireName(name), name]));
  return (wire) => own.get(wire) ?? wire;
}

/** A schema of type `object`, as servers require; in plain form if needed. */
export function wireSchema(
  schema: Record<string, unknown>,
  { plainSchemas = false }: ServerCapabilities,
): Record<string, unknown> {
  if (plainSchemas) return plainSchema(schema);
  return schema['type'] === 'object' ? schema : { ...schema, type: 'object' };
}

/**
 * The `tools` field in the function form of most servers; an empty object if there are none or they
 * are disabled.
 */
export function functionTools({ tools, textOnly }: ModelRequest, capabilities: ServerCapabilities) {
  if (tools.length === 0 || textOnly || capabilities.noTools) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function' as const,
      function: {
        name: wireName(name),
        description,
        parameters: wireSchema(inputSchema, capabilities),
      },
    })),
  };
}
