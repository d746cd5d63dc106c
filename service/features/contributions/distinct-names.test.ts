import { expect, it } from 'vitest';
import { distinctNames } from './distinct-names.ts';

const served = (...all: [pluginId: string, name: string][]): string[] =>
  distinctNames(all.map(([pluginId, name]) => ({ pluginId, name }))).map(({ name }) => name);

it('a name of one plugin is served as it is, one of several with its plugin', () => {
  expect(served(['acme.a', 'sum'], ['acme.b', 'sort'])).toEqual(['sum', 'sort']);
  expect(served(['acme.a', 'sum'], ['acme.b', 'sum'])).toEqual(['acme.a:sum', 'acme.b:sum']);
});

it('a plugin cannot call something as that of another plugin is called', () => {
  expect(served(['acme.a', 'sum'], ['acme.b', 'sum'], ['evil.c', 'acme.a:sum'])).toEqual([
    'acme.a:sum',
    'acme.b:sum',
    'evil.c:acme.a:sum',
  ]);
});

it('many of one name cost little time', () => {
  const all = Array.from({ length: 20_000 }, (_, index): [string, string] => [`a.p${index}`, 'x']);
  const startedAt = performance.now();
  expect(new Set(served(...all)).size).toBe(20_000);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
