import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takesParams } from '../plugin-kit/testing/method-schemas.ts';
import { samplePackageTests, useSamplePlugin } from '../plugin-kit/testing/sample-plugin-tests.ts';

const sample = await useSamplePlugin(join(import.meta.dirname, 'json-tools'), 'node');
const { plugin, call, failure } = sample;

describe('the package', () => {
  samplePackageTests(sample);

  test('it is official and needs no permission', () => {
    const { id, version, official, permissions, category, icon } = plugin.manifest;
    expect({ id, version, official, permissions, category, icon }).toEqual({
      id: 'host.json-tools',
      version: '1.0.0',
      official: true,
      permissions: [],
      category: 'developer',
      icon: 'braces',
    });
  });
});

describe('format and minify', () => {
  const text = '{"b":[1,{"x":[]}],"a":{},"é":"\\u00e9/\\/","n":12345678901234567890.10}';

  test('formatting keeps every digit and every spelling', async () => {
    const { text: formatted } = await call<{ text: string }>('format', { text });
    expect(formatted).toBe(
      [
        '{',
        '  "b": [',
        '    1,',
        '    {',
        '      "x": []',
        '    }',
        '  ],',
        '  "a": {},',
        '  "é": "\\u00e9/\\/",',
        '  "n": 12345678901234567890.10',
        '}',
      ].join('\n'),
    );
    const { text: short } = await call<{ text: string }>('minify', { text: formatted });
    expect(short).toBe(text);
  });

  test('keys are sorted at every level, duplicate ones in their order', async () => {
    const unsorted = '{"b":1,"a":{"d":1,"c":2},"b":3}';
    const result = await call('minify', { text: unsorted, sortKeys: true });
    expect(result).toEqual({
      text: '{"a":{"c":2,"d":1},"b":1,"b":3}',
      charactersBefore: unsorted.length,
      charactersAfter: unsorted.length,
    });
  });

  test.each([
    [{ indent: 4 }, '[\n    1\n]'],
    [{ tabs: true }, '[\n\t1\n]'],
    [{}, '[\n  1\n]'],
  ])('the indent %j is used', async (options, expected) => {
    expect(await call('format', { text: '[1]', ...options })).toEqual({ text: expected });
  });

  test('values of earlier steps are accepted', async () => {
    expect(await call('minify', { text: { a: [1, 'x'] } })).toMatchObject({
      text: '{"a":[1,"x"]}',
    });
  });

  test('text that is not JSON is rejected with its position', async () => {
    expect(await failure('format', { text: '{\n  "a": 1,\n}' })).toEqual({
      code: -32602,
      message:
        '\'text\' is not JSON: line 3, column 1: Expected a key in double quotes, but found "}".',
      data: {
        input: 'text',
        line: 3,
        column: 1,
        offset: 12,
        detail: 'Expected a key in double quotes, but found "}".',
      },
    });
  });

  test.each([
    { text: '[1]', indent: 0 },
    { text: '[1]', indent: 2.5 },
    { text: '[1]', tabs: 1 },
    {},
  ])('the params %j are rejected by schema and worker alike', async (params) => {
    expect(takesParams(plugin.manifest, 'format', params)).toBe(false);
    expect((await failure('format', params))?.code).toBe(-32602);
  });

  test('a text of many megabytes is formatted', async () => {
    const items = Array.from({ length: 150_000 }, (_, id) => ({ id, name: `item ${String(id)}` }));
    const big = JSON.stringify(items);
    const { text: formatted } = await call<{ text: string }>('format', { text: big });
    expect(formatted === JSON.stringify(items, null, 2)).toBe(true);
  });

  test('too much text is rejected', async () => {
    const text = JSON.stringify('x'.repeat(9 * 1024 * 1024));
    expect((await failure('minify', { text }))?.message).toContain('longer than 8 Mi characters');
  });
});

describe('validate', () => {
  test.each([
    ['{"a":1}', 'object'],
    [' [ ] ', 'array'],
    ['"x"', 'string'],
    ['-0.5e+3', 'number'],
    ['true', 'boolean'],
    ['\ufeffnull', 'null'],
  ])('%j is valid', async (text, type) => {
    expect(await call('validate', { text })).toEqual({ valid: true, type, duplicateKeys: [] });
  });

  test.each([
    ['', 1, 1, 'the text ends here'],
    ['[1,]', 1, 4, 'Expected a value'],
    ['{"a":01}', 1, 7, 'Not a number'],
    ['{"a" 1}', 1, 6, "Expected ':'"],
    ["{'a':1}", 1, 2, 'double quotes'],
    ['[1\r\n2]', 2, 1, "Expected ',' or ']'"],
    ['["😀😀" x]', 1, 7, "Expected ',' or ']'"],
    ['["a\tb"]', 1, 4, 'control character'],
    ['["\\q"]', 1, 3, 'escape'],
    ['"abc', 1, 5, 'not closed'],
    ['[NaN]', 1, 2, 'Expected a value'],
    ['{} {}', 1, 4, 'Nothing may follow'],
    ['// no\n1', 1, 1, 'Expected a value'],
  ])('%j fails at line %i, column %i', async (text, line, column, message) => {
    const { valid, error } = await call<{ valid: boolean; error: object }>('validate', { text });
    expect(valid).toBe(false);
    expect(error).toMatchObject({
      line,
      column,
      message: expect.stringContaining(message) as string,
    });
    // The engine rejects everything that we reject.
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  });

  test('duplicate keys are reported with their position', async () => {
    const text = '{"a":1,\n "o":{"x~/":1,"x~/":2},\n "\\u0061":2}';
    const { duplicateKeys } = await call<{ duplicateKeys: object[] }>('validate', { text });
    expect(duplicateKeys).toEqual([
      { path: '/a', line: 3, column: 2 },
      { path: '/o/x~0~1', line: 2, column: 15 },
    ]);
  });

  test('deeply nested text is rejected without a stack overflow', async () => {
    const text = '['.repeat(100_000);
    const { error } = await call<{ error: object }>('validate', { text });
    expect(error).toMatchObject({ message: 'Nested deeper than 500 levels.' });
  });
});

describe('diff', () => {
  test('it names what was added, removed and changed', async () => {
    const before = '{"same":1,"gone":{"x":1},"list":[1,2,3],"a/b":"old","type":[]}';
    const after = '{"list":[1,5],"a/b":"new","type":{},"same":1.0,"new":null}';
    expect(await call('diff', { before, after })).toEqual({
      equal: false,
      truncated: false,
      changes: [
        { path: '/gone', kind: 'removed', before: { x: 1 } },
        { path: '/list/1', kind: 'changed', before: 2, after: 5 },
        { path: '/list/2', kind: 'removed', before: 3 },
        { path: '/a~1b', kind: 'changed', before: 'old', after: 'new' },
        { path: '/type', kind: 'changed', before: [], after: {} },
        { path: '/new', kind: 'added', after: null },
      ],
    });
  });

  test.each([
    ['{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }'],
    ['[1, 10, 0.5, 0]', '[1.0, 1e1, 5e-1, -0]'],
    ['"\\u00e9"', '"é"'],
  ])('%s equals %s', async (before, after) => {
    const result = await call('diff', { before, after });
    expect(result).toEqual({ equal: true, changes: [], truncated: false });
  });

  test('numbers that differ beyond the precision of doubles differ', async () => {
    const texts = { before: '12345678901234567890', after: '12345678901234567891' };
    expect(await call('diff', texts)).toMatchObject({ equal: false });
  });

  test('a change of the whole document has the empty path', async () => {
    const { changes } = await call<{ changes: object[] }>('diff', { before: '1', after: '[1]' });
    expect(changes).toEqual([{ path: '', kind: 'changed', before: 1, after: [1] }]);
  });

  test('very many changes are cut off', async () => {
    const before = JSON.stringify(Array.from({ length: 10_001 }, () => 0));
    const result = await call<{ changes: object[] }>('diff', { before, after: '[]' });
    expect(result.changes).toHaveLength(10_000);
    expect(result).toMatchObject({ truncated: true });
  });

  test('the invalid input is named', async () => {
    expect((await failure('diff', { before: '1', after: '' }))?.data).toMatchObject({
      input: 'after',
    });
  });
});

describe('query', () => {
  const store = {
    book: [
      { title: 'One', price: 8, 'odd key': 1 },
      { title: 'Two', price: 12, more: { price: 3 } },
    ],
    __proto__x: { price: 1 },
    "it's": true,
  };
  const text = JSON.stringify({ store });

  test.each([
    ['$', ['']],
    ['$.store.book[0].title', ['/store/book/0/title']],
    ['$.store.book[-1].price', ['/store/book/1/price']],
    ['$.store.book[*].price', ['/store/book/0/price', '/store/book/1/price']],
    ["$['store'][\"book\"][0]['odd key']", ['/store/book/0/odd key']],
    ["$.store['it\\'s']", ["/store/it's"]],
    [
      '$..price',
      [
        '/store/book/0/price',
        '/store/book/1/price',
        '/store/book/1/more/price',
        '/store/__proto__x/price',
      ],
    ],
    ['$.store[*].price', ['/store/__proto__x/price']],
    ['$.store.book[7]', []],
    ['$.store.book.title', []],
    [' $.store.nothing ', []],
  ])('%s finds %j', async (path, expected) => {
    const { matches } = await call<{ matches: { path: string }[] }>('query', { text, path });
    expect(matches.map((match) => match.path)).toEqual(expected);
  });

  test('the values are returned', async () => {
    expect(await call('query', { text, path: '$..more' })).toEqual({
      matches: [{ path: '/store/book/1/more', value: { price: 3 } }],
      count: 1,
      truncated: false,
    });
    const large = await call('query', { text: '[1e999]', path: '$[0]' });
    expect(large).toMatchObject({ matches: [{ value: '1e999' }] });
  });

  test.each([
    ['store', 1],
    ['', 1],
    ['$store', 2],
    ['$.', 2],
    ['$.a[?(@.b)]', 4],
    ['$.a[1:2]', 4],
    ['$..*', 2],
    ['$[01]', 2],
    ["$['a", 2],
    ["$['\\q']", 2],
  ])('the path %j is rejected at column %i', async (path, column) => {
    const error = await failure('query', { text, path });
    expect(error).toMatchObject({ code: -32602, data: { input: 'path', column } });
  });

  test('a path that would never end is stopped', async () => {
    const deep = `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`;
    const error = await failure('query', { text: deep, path: '$..a..a..a..a..a..b' });
    expect(error?.message).toContain('too wide');
  });
});
