import { describe, expect, it } from 'vitest';
import type { Tool } from './tool.ts';
import { checkArguments } from './tool-arguments.ts';
import { englishText } from '../../testing/english-text.ts';

const tool = (inputSchema: Record<string, unknown>, more: Partial<Tool> = {}): Tool => ({
  name: 'x',
  description: '',
  inputSchema,
  effect: 'read',
  run: () => Promise.resolve({ success: true, output: '' }),
  ...more,
});

const number = (more: object): object => ({
  type: 'object',
  properties: { a: { type: 'number', ...more } },
});

describe('the arguments of a tool', () => {
  it.each([
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
    'https://example.com/one-of-ours',
  ])('are checked against a schema of %s', async ($schema) => {
    const checked = tool({ $schema, $id: 'https://example.com/s', ...number({ minimum: 1 }) });
    expect(await checkArguments(checked, { a: 1 })).toBeNull();
    expect((await checkArguments(checked, { a: 0 }))?.reason).toEqual(
      englishText(/a must be at least 1/),
    );
  });

  it.each<[string, object]>([
    ['of an old draft', number({ minimum: 0, exclusiveMinimum: true })],
    ['with a type that is none', number({ type: 'any' })],
    ['that refers to nothing', number({ $ref: '#/$defs/gone' })],
    ['that refers to another place', number({ $ref: 'https://example.com/s.json' })],
    ['with a pattern that is none', number({ type: 'string', pattern: '[(' })],
    ['with null for what is required', { ...number({}), required: null }],
  ])('are refused against a schema %s, unless the tool checks them itself', async (_, schema) => {
    const written = schema as Record<string, unknown>;
    expect(await checkArguments(tool(written, { checksArguments: true }), { a: 1 })).toBeNull();
    const problem = await checkArguments(tool(written), { a: 1 });
    expect(problem?.reason).toEqual(englishText(/cannot be checked/));
  });
});
