import { expect, it } from 'vitest';
import { emptyCatalog } from './catalog-of.ts';
import { nameOf } from './source-view.ts';

const named = (name: string | null, builtIn = false): string =>
  nameOf({ id: 'acme', builtIn, catalog: { ...emptyCatalog('CLAUDE'), name } });

it.each([
  ['Acme', 'Acme'],
  [null, 'acme'],
  ['Official plugins', 'Official plugins (acme)'],
  ['  OFFICIAL-Plugins!', '  OFFICIAL-Plugins! (acme)'],
  ['Ｏfficial plugins', 'Ｏfficial plugins (acme)'],
])('a source that calls itself %j is shown as %j', (name, displayed) => {
  expect(named(name)).toBe(displayed);
});

it('the name of the vendor is reserved for the built-in source', () => {
  expect(named('Official plugins', true)).toBe('Official plugins');
});
