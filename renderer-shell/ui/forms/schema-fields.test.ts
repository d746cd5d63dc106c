import { expect, it } from 'vitest';
import { defaultsOf, fieldsOf, requiredFirst } from './schema-fields.ts';

const schema = {
  type: 'object',
  required: ['level'],
  properties: {
    text: { type: 'string', title: 'What to say', description: 'One line.' },
    count: { type: 'integer', default: 3 },
    deep: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { x: { type: 'number' } } },
    either: { type: ['string', 'null'] },
    level: { type: 'integer', enum: [1, 2] },
    size: { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
    days: { type: 'array', items: { anyOf: [{ const: 'mo', title: 'Monday' }, { const: 'tu' }] } },
    grade: { enum: ['a', 'b'], enumNames: ['Best', 'Good'] },
    strange: 'not a schema',
  },
};

it('derives the kind of fields from their schema, and can sort required ones first', () => {
  const fields = requiredFirst(fieldsOf(schema));
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['level', 'choice'],
    ['text', 'text'],
    ['count', 'number'],
    ['deep', 'switch'],
    ['names', 'list'],
    ['place', 'json'],
    ['either', 'json'],
    ['size', 'choice'],
    ['days', 'choices'],
    ['grade', 'choice'],
    ['strange', 'json'],
  ]);
  expect(fields[0]).toMatchObject({
    required: true,
    options: [{ value: '1', schemaValue: 1 }, {}],
  });
  expect(fields[1]).toMatchObject({ title: 'What to say', description: 'One line.' });
  expect(fields[7]?.options.map(({ label }) => label)).toEqual(['Small', 'l']);
  expect(fields[8]?.options.map(({ label }) => label)).toEqual(['Monday', 'tu']);
  expect(fields[9]?.options.map(({ label }) => label)).toEqual(['Best', 'Good']);
});

it('an empty schema has no fields, and defaults come from the schema', () => {
  expect(fieldsOf({})).toEqual([]);
  expect(fieldsOf({ properties: ['x'], required: 'y' })).toEqual([]);
  expect(defaultsOf(schema)).toEqual({ count: 3 });
});
