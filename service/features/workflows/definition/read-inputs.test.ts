import { describe, expect, it } from 'vitest';
import { HostError } from '../../../core/host-error.ts';
import { readInputs } from './read-inputs.ts';
import { textOf } from '../../../messages/index.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2 },
    days: { type: 'integer', default: 3 },
    exact: { type: 'number' },
    loud: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    more: { type: 'object', properties: { deep: { type: 'integer' } } },
    doc: { type: 'string', format: 'host-file' },
    pages: { type: 'array', items: { type: 'string', format: 'host-file' } },
    desk: { 'x-host-auto': 'shared-directory' },
  },
  required: ['city', 'doc', 'desk'],
};
type Values = Record<string, unknown>;
const whole: Values = { city: 'Bonn', doc: 'upload-1' };

async function errorsOf(inputs: Values, of: Values = schema): Promise<string[]> {
  const error: unknown = await readInputs(of, inputs).catch((reason: unknown) => reason);
  if (!(error instanceof HostError)) throw new Error('They were not refused.', { cause: error });
  expect([error.kind, error.code]).toEqual(['unprocessable', 'invalid_inputs']);
  return (error.errors ?? []).map(({ path, message }) => `${path} ${textOf(message)}`);
}

describe('the inputs of a run', () => {
  it('get their defaults, and those provided by the host are marked', async () => {
    expect(await readInputs(schema, whole)).toEqual({
      values: { city: 'Bonn', days: 3, doc: '@file:doc', desk: '@file:desk' },
      host: [
        { name: 'doc', kind: 'file', many: false, value: 'upload-1' },
        { name: 'desk', kind: 'shared-directory', many: false },
      ],
    });
    const inputs = {
      city: 'Bonn',
      days: 0,
      exact: 1.5,
      loud: false,
      tags: ['a'],
      more: { deep: 1 },
    };
    const read = await readInputs(schema, inputs, new Set(['doc', 'pages']));
    expect(read.values).toEqual({
      ...inputs,
      doc: '@file:doc',
      pages: '@file:pages',
      desk: '@file:desk',
    });
    expect(read.host).toEqual([
      { name: 'doc', kind: 'file', many: false },
      { name: 'pages', kind: 'file', many: true },
      { name: 'desk', kind: 'shared-directory', many: false },
    ]);
  });

  it.each<[string, Values, string[]]>([
    ['is missing', { doc: 'x' }, ['inputs.city is required']],
    ['is a file that is missing', { city: 'Bonn' }, ['inputs.doc is required: choose a file']],
    ['is a number in place of a text', { ...whole, city: 5 }, ['inputs.city must be text']],
    [
      'is a text in place of a number',
      { ...whole, days: '5' },
      ['inputs.days must be a whole number'],
    ],
    [
      'is a fraction in place of a whole',
      { ...whole, days: 1.5 },
      ['inputs.days must be a whole number'],
    ],
    [
      'is a text in place of a switch',
      { ...whole, loud: 'yes' },
      ['inputs.loud must be true or false'],
    ],
    ['is a text in place of a list', { ...whole, tags: 'a' }, ['inputs.tags must be a list']],
    ['is of the wrong kind inside', { ...whole, tags: [1] }, ['inputs.tags.0 must be text']],
    [
      'is of the wrong kind below',
      { ...whole, more: { deep: 'x' } },
      ['inputs.more.deep must be a whole number'],
    ],
    ['is nothing', { ...whole, city: null }, ['inputs.city must be text']],
    ['is too short', { ...whole, city: 'B' }, ['inputs.city must be at least 2 characters long']],
  ])('are refused with the field if one %s', async (_, inputs, errors) => {
    expect(await errorsOf(inputs)).toEqual(errors);
  });

  it('are refused if the workflow does not declare them, including names of built-in object properties', async () => {
    const strange = JSON.parse('{"town":1,"__proto__":2,"constructor":3,"toString":4}') as Values;
    expect((await errorsOf({ ...whole, ...strange }))[0]).toMatch(
      /^inputs\.town is not an input of this workflow\. It has city, days/,
    );
    const inputs = JSON.parse('{"__proto__":{"city":"Bonn"},"doc":"x"}') as Values;
    expect(await errorsOf(inputs)).toEqual([
      expect.stringMatching(/^inputs\.__proto__ is not an input/),
      'inputs.city is required',
    ]);
    expect((await errorsOf({ x: 1 }, { type: 'object' }))[0]).toMatch(/which has no inputs$/);
    await expect(readInputs(schema, whole, new Set(['town']))).rejects.toThrow(/inputs\.town/);
    expect(await readInputs({}, {})).toEqual({ values: {}, host: [] });
  });

  it('are validated in a thread if the schema is slow, and a timeout is reported', async () => {
    const a = { type: 'array', items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } };
    const slow = { $defs: { a }, properties: { v: { $ref: '#/$defs/a' } } };
    const deep = JSON.parse(`${'['.repeat(40)}1${']'.repeat(40)}`) as unknown;
    expect(await errorsOf({ v: deep }, slow)).toEqual([
      'inputs could not be checked against the input schema in time',
    ]);
    expect((await readInputs(slow, { v: [] })).values).toEqual({ v: [] });
  });
});
