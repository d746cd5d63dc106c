import { expect, it } from 'vitest';
import { distinctNames } from './distinct-names.ts';

const served = (...all: [pluginId: string, name: string][]): string[] =>
  distinctNames(all.map(([pluginId, name]) => ({ pluginId, name }))).map(({ name }) => name);

it('a unique name is served as it is, a shared one is qualified by its plugin', () => {
  expect(served(['acme.a', 'sum'], ['acme.b', 'sort'])).toEqual(['sum', 'sort']);
  expect(served(['acme.a', 'sum'], ['acme.b', 'sum'])).toEqual(['acme.a:sum', 'acme.b:sum']);
});

it('a plugin cannot imitate the qualified name of another plugin', () => {
  expect(served(['acme.a', 'sum'], ['acme.b', 'sum'], ['evil.c', 'acme.a:sum'])).toEqual([
    'acme.a:sum',
    'acme.b:sum',
    'evil.c:acme.a:sum',
  ]);
});

it('many equal names cost little time', () => {
  const all = Array.from({ length: 20_000 }, (_, index): [string, string] => [`a.p${index}`, 'x']);
  const startedAt = performance.now();
  expect(new Set(served(...all)).size).toBe(20_000);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
