import { expect, it } from 'vitest';
import { newNamespaceNames } from './namespace-names.ts';

it('namespace names are short and consist of safe characters for any id', () => {
  const ids = ['a', 'com.example.words', 'a.b-c', '0__--', 'x-', `${'long.'.repeat(25)}end`];
  for (const id of ids) {
    const { name, username } = newNamespaceNames(id);
    for (const one of [name, username]) {
      expect(one, id).toMatch(/^plugin_(?:[a-z0-9]+_)*[0-9a-f]{8}$/);
    }
    expect(name.length).toBeLessThanOrEqual(63);
    expect(username.length).toBeLessThanOrEqual(32);
  }
  expect(newNamespaceNames('com.example.words').name).toMatch(/^plugin_com_example_words_/);
});

it('namespace names are unique for similar ids, and even for the same id', () => {
  const ids = [
    'a.b-c',
    'a.b_c',
    'a-b.c',
    'a.b-c',
    ...Array.from({ length: 9 }, () => 'x'.repeat(128)),
  ];
  const names = ids.map(newNamespaceNames);
  expect(new Set(names.map(({ name }) => name)).size).toBe(ids.length);
  expect(new Set(names.map(({ username }) => username)).size).toBe(ids.length);
});
