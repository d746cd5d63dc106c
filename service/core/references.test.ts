import { describe, expect, it } from 'vitest';
import {
  parseReference,
  ReferenceProblem,
  referencesIn,
  replaceReferences,
  valueAt,
} from './references.ts';

const scope: Record<string, unknown> = {
  'steps 0': { rows: [{ name: 'Ada' }, { name: 'Grace' }], 'odd key': 1, total: 2 },
  'steps 1': 'plain',
  'last ': [1, 2],
  'node a-1': true,
  'inputs city': 'Rome',
};
const replace = (value: unknown): unknown =>
  replaceReferences(value, (reference) =>
    valueAt(scope[`${reference.source} ${reference.key}`], reference),
  );

describe('a reference', () => {
  it.each([
    ['steps.0.result', scope['steps 0']],
    ['{{steps.0.result}}', scope['steps 0']],
    ['{{ steps.0.result.total }}', 2],
    ['steps.0.result.rows[1].name', 'Grace'],
    ['steps.0.result.rows.1.name', 'Grace'],
    ['{{steps.0.result["odd key"]}}', 1],
    ['last.result', [1, 2]],
    ['{{last.result[0]}}', 1],
    ['{{node.a-1.result}}', true],
    ['{{inputs.city}}', 'Rome'],
  ])('that is all of a text keeps its type: %s', (text, value) => {
    expect(replace({ deep: [text] })).toEqual({ deep: [value] });
  });

  it.each([
    ['Hello {{steps.0.result.rows[0].name}}!', 'Hello Ada!'],
    ['{{steps.0.result.total}} of {{inputs.city}}', '2 of Rome'],
    ['{{last.result}} and {{node.a-1.result}}', '[1,2] and true'],
    ['steps.0.result is what I mean', 'steps.0.result is what I mean'],
    ['{{name}} of another language', '{{name}} of another language'],
    ['{{}} {{ {{', '{{}} {{ {{'],
    ['inputs.', 'inputs.'],
    ['steps.one', 'steps.one'],
    ['node.js', 'node.js'],
  ])('inside a text is text: %s', (text, value) => {
    expect(replace(text)).toBe(value);
  });

  it('inside a result is not resolved', () => {
    const hostile = replaceReferences('{{steps.0.result}}', () => '{{inputs.secret}}');
    expect(hostile).toBe('{{inputs.secret}}');
    expect(replaceReferences('a {{last.result}}', () => '{{last.result}} $& $1')).toBe(
      'a {{last.result}} $& $1',
    );
  });

  it.each([
    '{{steps.x.result}}',
    '{{steps.1}}',
    '{{steps.0.result..a}}',
    '{{inputs.}}',
    '{{last.result[x]}}',
  ])('that is written wrong is a problem: %s', (text) => {
    expect(() => referencesIn({ a: { b: text } })).toThrow(ReferenceProblem);
    expect(() => parseReference(text.slice(2, -2))).toThrow(/is not a valid reference/);
  });

  it('is found with its path in the value', () => {
    const found = referencesIn({ a: ['x', '{{steps.3.result}} {{inputs.q}}'], b: 'last.result' });
    expect(
      found.map(({ at, reference }) => [at.join('.'), reference.source, reference.key]),
    ).toEqual([
      ['a.1', 'steps', '3'],
      ['a.1', 'inputs', 'q'],
      ['b', 'last', ''],
    ]);
  });

  it.each([
    '{{steps.0.result.__proto__}}',
    '{{steps.1.result.length}}',
    '{{last.result.map}}',
    '{{steps.0.result.nobody}}',
  ])('to what a value does not hold itself stands for nothing: %s', (text) => {
    expect(() => replace(text)).toThrow(/does not refer to anything/);
  });
});
