import { expect, it } from 'vitest';
import { defaultsOf, fieldsOf } from './schema-fields.ts';

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
    strange: 'not a schema',
  },
};

it('fields have the kind that their schema asks for, those that have to be filled in first', () => {
  const fields = fieldsOf(schema);
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['level', 'choice'],
    ['text', 'text'],
    ['count', 'number'],
    ['deep', 'switch'],
    ['names', 'list'],
    ['place', 'json'],
    ['either', 'json'],
    ['size', 'choice'],
    ['strange', 'json'],
  ]);
  expect(fields[0]).toMatchObject({ required: true, options: [{ value: '1', given: 1 }, {}] });
  expect(fields[1]).toMatchObject({ title: 'What to say', description: 'One line.' });
  expect(fields[7]?.options.map(({ label }) => label)).toEqual(['Small', 'l']);
});

it('a schema that says nothing has no fields, and defaults are those that it names', () => {
  expect(fieldsOf({})).toEqual([]);
  expect(fieldsOf({ properties: ['x'], required: 'y' })).toEqual([]);
  expect(defaultsOf(schema)).toEqual({ count: 3 });
});
