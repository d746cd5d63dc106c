import { Linter } from 'eslint';
import { expect, it } from 'vitest';
import { parser } from 'typescript-eslint';
// @ts-expect-error The rules of this project are plain JavaScript.
import { standardNames } from '../eslint.names.mjs';

type Options = { allow?: string[] };

const linter = new Linter();
const problems = (code: string, options: Options = {}): string[] =>
  linter
    .verify(code, {
      languageOptions: { parser },
      plugins: { house: { rules: { 'standard-names': standardNames as never } } },
      rules: { 'house/standard-names': ['error', options] },
    })
    .map(({ message }) => message);

it.each([
  ['const given = 1;'],
  ['const { a: given } = object;'],
  ['const [first, ...given] = list;'],
  ['function given() {}'],
  ['function parse(given: string) {}'],
  ['const parse = (given = 1) => given;'],
  ['const parse = ({ a: given }) => given;'],
  ['try { run(); } catch (given) { log(given); }'],
  ['class Given {}'],
  ['class A { #given = 1; }'],
  ['class A { given() {} }'],
  ['class A { constructor(given: string) {} }'],
  ['interface Given {}'],
  ['interface A { given: string }'],
  ['interface A { given(): string }'],
  ['type Given = string;'],
  ['type Parse = (given: string) => void;'],
])('a declared name with a private word is refused: %s', (code) => {
  expect(problems(code)).toEqual([expect.stringContaining('has the word "given"')]);
});

it('the message says the standard term', () => {
  expect(problems('class RunBook {}')).toEqual([
    'The name "RunBook" has the word "book". The standard term is …Store, …Registry or …Cache.',
  ]);
});

it.each([['const GIVEN_LIMIT = 1;'], ['const maxGiven = 1;'], ['const isGivenTwice = 1;']])(
  'a word is found anywhere in a name: %s',
  (code) => {
    expect(problems(code)).toHaveLength(1);
  },
);

it.each([
  ['const notebook = 1;', 'a longer word'],
  ['const replacement = 1;', 'a longer word'],
  ['send({ given: 1 });', 'a property of a value that goes somewhere else'],
  ['const { given } = object;', 'the name that the object has'],
  ['log(object.given);', 'a use, not a declaration'],
  [`const text = 'given';`, 'a text'],
  ['const isKnownCommand = 1;', 'an adjective'],
  ['const looksLikePath = 1;', 'a standard phrase'],
])('%s is fine: %s', (code) => {
  expect(problems(code)).toEqual([]);
});

it('a file can use a word that is the standard term in it', () => {
  expect(problems('const words = 1;', { allow: ['words'] })).toEqual([]);
  expect(problems('const given = 1;', { allow: ['words'] })).toHaveLength(1);
});
