import { expect, it } from 'vitest';
import { replaceGrants } from './replace-grants.ts';

const id = `ref_${'0'.repeat(8)}-0000-4000-8000-000000000000`;
const grant = { id, kind: 'file', access: 'read' };
const replaced = (params: unknown): unknown => replaceGrants(params, () => '/files/a');

it('replaces a grant 50 levels deep with its path, and leaves its bare id unchanged', () => {
  let params: unknown = { file: grant, text: id };
  let expected: unknown = { file: '/files/a', text: id };
  for (let level = 0; level < 50; level += 1) {
    params = level % 2 === 0 ? [params] : { inner: params };
    expected = level % 2 === 0 ? [expected] : { inner: expected };
  }
  expect(replaced(params)).toEqual(expected);
});

it('treats prototype keys like any other keys', () => {
  const params = JSON.parse(
    `{"__proto__":{"polluted":${JSON.stringify(grant)}},"constructor":{"prototype":{"polluted":1}}}`,
  ) as object;
  const result = replaced(params) as object;
  expect(JSON.stringify(result)).toBe(
    '{"__proto__":{"polluted":"/files/a"},"constructor":{"prototype":{"polluted":1}}}',
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

it('finds every grant in a megabyte of params', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({
    index,
    file: grant,
    more: 'x'.repeat(100),
  }));
  const result = replaced({ rows }) as { rows: { file: string }[] };
  expect(result.rows).toHaveLength(5_000);
  expect(new Set(result.rows.map(({ file }) => file))).toEqual(new Set(['/files/a']));
});

it.each([
  ['without a kind', { id, access: 'read' }],
  ['without an access', { id, kind: 'file' }],
  ['of another id', { id: 'ref_x', kind: 'file', access: 'read' }],
])('an object %s is not a grant and is left unchanged', (_what, params) => {
  expect(replaced({ params })).toEqual({ params });
});
