import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPlugin } from '../packages.ts';

const script = join(import.meta.dirname, '..', 'workers', 'conformance.mjs');

/** Tools that the conformance suite calls, by the worker's method. */
const tools = {
  test_simple_text: 'text',
  test_image_content: 'image',
  test_multiple_content_types: 'mixed',
  test_error_handling: 'fail',
  test_tool_with_progress: 'progress',
};
const richSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/**
 * Builds a package with the tools that the conformance suite requires, as far as plugins support
 * them.
 */
export async function conformancePlugin(): Promise<Buffer> {
  const aiTools = Object.entries(tools).map(([name, method]) => ({
    name,
    method,
    effect: 'read',
    description: `Runs ${method}.`,
  }));
  const rich = {
    name: 'json_schema_2020_12_tool',
    method: 'text',
    effect: 'read',
    description: 'Has a rich schema.',
    inputSchema: richSchema,
  };
  const methods = Object.fromEntries(Object.values(tools).map((name) => [name, {}]));
  return packPlugin({
    manifest: {
      id: 'acme.conformance',
      name: 'Conformance',
      worker: { runtime: 'node' },
      methods,
      aiTools: [...aiTools, rich],
    },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': await readFile(script) },
  });
}
