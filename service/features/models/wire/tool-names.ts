import { createHash } from 'node:crypto';
import type { ModelRequest, ModelTool } from '../model-backend.ts';
import { plainSchema } from './plain-schema.ts';
import type { ServerCapabilities } from './server-capabilities.ts';

/** What every server takes as the name of a tool. */
const plain = /^[a-zA-Z0-9_-]{1,64}$/;
const hashLength = 8;

/** A name as servers take it; always the same one for the same name. */
export function wireName(name: string): string {
  if (plain.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64 - hashLength - 1)}_${hash}`;
}

/** From the name that a server uses back to that of the tool. */
export function ownNames(tools: readonly ModelTool[]): (wire: string) => string {
  const own = new Map(tools.map(({ name }) => [wireName(name), name]));
  return (wire) => own.get(wire) ?? wire;
}

/** A schema that says what servers insist on: it is one of an object. Where they must, in plain words. */
export function wireSchema(
  schema: Record<string, unknown>,
  { plainSchemas = false }: ServerCapabilities,
): Record<string, unknown> {
  if (plainSchemas) return plainSchema(schema);
  return schema['type'] === 'object' ? schema : { ...schema, type: 'object' };
}

/** The tools of a request as most servers take them; nothing where it has none, or they may not be there. */
export function functionTools(
  { tools, wordsOnly }: ModelRequest,
  capabilities: ServerCapabilities,
) {
  if (tools.length === 0 || wordsOnly || capabilities.noTools) return {};
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
