import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { plainSchema } from './plain-schema.ts';

type Schema = Record<string, unknown>;

/** The plain form of a property. */
const property = (schema: unknown, more: Schema = {}): unknown =>
  (plainSchema({ type: 'object', properties: { p: schema }, ...more })['properties'] as Schema)[
    'p'
  ];

const text = { type: 'string' };
const number = { type: 'number' };

describe('a plain schema', () => {
  it('contains only keywords that all servers support', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/s',
      title: 'T',
      type: 'object',
      description: 'What to read.',
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          pattern: '^/',
          format: 'uri',
          default: '/',
          examples: ['/a'],
        },
        limit: { type: 'integer', minimum: 1, exclusiveMaximum: 9, title: 'Limit' },
        kind: { enum: ['a', 'b'], description: 'Which.' },
        only: { const: 'x' },
        any: true,
      },
      required: ['path', 'gone', 7],
      additionalProperties: false,
      patternProperties: { '^x-': text },
      if: { required: ['limit'] },
      $defs: { unused: text },
    };
    const before = JSON.stringify(schema);
    expect(plainSchema(schema)).toEqual({
      type: 'object',
      description: 'What to read.',
      properties: {
        path: text,
        limit: { type: 'integer' },
        kind: { type: 'string', enum: ['a', 'b'], description: 'Which.' },
        only: { type: 'string', enum: ['x'] },
        any: {},
      },
      required: ['path'],
    });
    expect(JSON.stringify(schema)).toBe(before);
    expect(plainSchema(schema)).toBe(plainSchema(schema));
  });

  it.each<[string, unknown, unknown]>([
    ['text or null', { type: ['string', 'null'] }, text],
    ['text or number', { type: ['string', 'number'], description: 'd' }, { description: 'd' }],
    [
      'a choice with null',
      { anyOf: [text, { type: 'null' }], description: 'd' },
      { ...text, description: 'd' },
    ],
    ['a choice', { oneOf: [text, number] }, { anyOf: [text, number] }],
    [
      'a choice beside properties',
      {
        type: 'object',
        description: 'd',
        properties: { a: text },
        anyOf: [{ properties: { b: text } }, { properties: { c: text } }],
      },
      {
        description: 'd',
        anyOf: [
          { type: 'object', properties: { b: text, a: text } },
          { type: 'object', properties: { c: text, a: text } },
        ],
      },
    ],
    [
      'a choice of what is required',
      { ...text, anyOf: [{ minLength: 1 }, { maxLength: 2 }] },
      text,
    ],
    [
      'parts together',
      {
        allOf: [
          { properties: { a: text }, required: ['a'] },
          { properties: { b: number }, required: ['b'] },
        ],
      },
      { type: 'object', properties: { b: number, a: text }, required: ['b', 'a'] },
    ],
    [
      'a list',
      { type: 'array', items: { type: 'string', format: 'uri' }, minItems: 1 },
      { type: 'array', items: text },
    ],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['a list without its type', { items: text }, { type: 'array', items: text }],
    ['numbers to choose from', { type: 'number', enum: [1, 2] }, number],
    ['texts and null to choose from', { enum: ['a', null] }, { ...text, enum: ['a'] }],
    ['mixed values to choose from', { enum: ['a', 1] }, {}],
    ['a type of old', { type: 'any' }, {}],
    [
      'values of wrong types',
      { type: 7, properties: [], required: 'x', enum: {}, anyOf: {}, description: 1 },
      {},
    ],
    ['nothing', null, {}],
  ])('for %s', (_, schema, plain) => {
    expect(property(schema)).toEqual(plain);
  });

  it.each<[string, unknown, unknown]>([
    ['#/$defs/name', { $defs: { name: text } }, text],
    ['#/definitions/a~1b%20c', { definitions: { 'a/b c': number } }, number],
    ['#/$defs/two', { $defs: { two: { $ref: '#/$defs/one' }, one: text } }, text],
    ['#/$defs/gone', {}, {}],
    ['#/constructor/name', {}, {}],
    ['#/%', {}, {}],
    ['https://example.com/s.json', {}, {}],
    ['file:///etc/passwd', {}, {}],
  ])('inlines what %s refers to', (ref, more, plain) => {
    expect(property({ $ref: ref }, more as Schema)).toEqual(plain);
    const described = { $ref: ref, description: 'd' };
    expect(property(described, more as Schema)).toEqual({ ...(plain as Schema), description: 'd' });
  });

  it('ends for a recursive schema', () => {
    const tree = {
      type: 'object',
      properties: { name: text, children: { type: 'array', items: { $ref: '#' } } },
    };
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`p${i}`, { $ref: '#/$defs/n' }]),
    );
    const wide = {
      type: 'object',
      $defs: { n: { type: 'object', properties: many } },
      properties: many,
    };
    let deep: Schema = text;
    for (let level = 0; level < 500; level += 1) deep = { type: 'object', properties: { p: deep } };
    const ring = {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    };
    for (const schema of [tree, wide, deep, ring]) {
      const plain = plainSchema(schema);
      expect(plain['type']).toBe('object');
      expect(JSON.stringify(plain).length).toBeLessThan(200_000);
      expect(JSON.stringify(plain)).not.toContain('$ref');
    }
  });

  it('has no choice at its top: each property accepts all of its variants', () => {
    const variant = (kind: string, name: string): Schema => ({
      properties: { kind: { const: kind }, [name]: text },
      required: ['kind', name],
    });
    const schema = {
      type: 'object',
      properties: { id: text },
      required: ['id'],
      oneOf: [variant('a', 'x'), variant('b', 'y')],
    };
    expect(plainSchema(schema)).toEqual({
      type: 'object',
      properties: {
        kind: {
          anyOf: [
            { ...text, enum: ['a'] },
            { ...text, enum: ['b'] },
          ],
        },
        x: text,
        y: text,
        id: text,
      },
      required: ['id'],
    });
  });

  it('omits properties whose names not every server accepts', () => {
    const names = ['ok', 'a.b-c_d', 'with blank', 'ü', 'x'.repeat(65), '$filter'];
    const properties = Object.fromEntries(names.map((name) => [name, text]));
    const plain = plainSchema({ type: 'object', properties, required: names });
    expect(plain).toEqual({
      type: 'object',
      properties: { ok: text, 'a.b-c_d': text },
      required: ['ok', 'a.b-c_d'],
    });
  });

  it('may have properties named like built-in ones', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__"]}',
    ) as Schema;
    expect(JSON.stringify(plainSchema(schema))).toBe(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}',
    );
  });

  it.each<[Schema, Schema[]]>([
    [
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a' }, b: { type: ['integer', 'boolean'] } },
        $defs: { a: { oneOf: [{ const: 1 }, { type: 'string', pattern: '^x' }] } },
        required: ['a'],
      },
      [{ a: 1 }, { a: 'x', b: true }, { a: 'xy', b: 3 }],
    ],
    [
      {
        type: 'object',
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
        properties: { a: text, b: text },
      },
      [{ a: 'x' }, { b: 'x' }, { a: 'x', b: 'y' }],
    ],
    [
      {
        type: 'object',
        allOf: [
          { properties: { a: { enum: ['x', 2] } } },
          { properties: { a: { type: ['string', 'number'] } } },
        ],
      },
      [{ a: 'x' }, { a: 2 }, {}],
    ],
    [
      {
        type: 'object',
        properties: {
          l: { type: 'array', items: { anyOf: [number, { type: 'array', items: text }] } },
        },
      },
      [{ l: [1, ['a'], 2] }, { l: [] }],
    ],
  ])('allows what the schema allows: %j', (schema, values) => {
    const ajv = new Ajv2020({ strict: false });
    const [whole, plain] = [ajv.compile(schema), ajv.compile(plainSchema(schema))];
    for (const value of values) {
      expect(whole(value), JSON.stringify(value)).toBe(true);
      expect(plain(value), JSON.stringify(plainSchema(schema))).toBe(true);
    }
  });
});
