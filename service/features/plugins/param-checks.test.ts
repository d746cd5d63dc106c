import { describe, expect, it } from 'vitest';
import { PluginManifest } from '../../contract/index.ts';
import { manifestProblems, ParamChecks } from './param-checks.ts';
import type { Schema } from './schema-compiler.ts';
import { msg } from '../../messages/index.ts';

const slowTree: Schema = {
  $defs: {
    a: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } },
  },
  properties: { v: { $ref: '#/$defs/a' } },
};
const unique: Schema = { properties: { v: { uniqueItems: true } } };
const checksOf = (params: Schema): ParamChecks => new ParamChecks({ go: { params } });
const deep = (levels: number): unknown =>
  JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown;
const rows = (count: number): number[][] => Array.from({ length: count }, (_, n) => [n]);
const tookTooLong = {
  kind: 'invalid',
  code: 'invalid_params',
  message: expect.stringContaining('took too long to check') as unknown,
};

/** Returns the longest time that the main thread was blocked. */
async function longestStallMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const beat = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(beat, 5);
  await work().finally(() => clearInterval(timer));
  beat();
  return longest;
}

describe('the parameters of a method', () => {
  it.each([
    ['a plain schema', { properties: { v: { type: 'string' } } }, { v: 1 }, 'params.v'],
    [
      'a reference',
      { $defs: { s: { type: 'string' } }, properties: { v: { $ref: '#/$defs/s' } } },
      { v: 1 },
      'params.v',
    ],
    ['a pattern', { properties: { v: { pattern: '^a+$' } } }, { v: 'b' }, 'params.v'],
    ['alternatives', { anyOf: [{ required: ['v'] }] }, {}, 'params'],
  ])('that violate %s are refused, naming the field', async (_, schema, params, path) => {
    const checks = checksOf(schema);
    await expect(checks.check('go', params)).rejects.toMatchObject({
      code: 'invalid_params',
      errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
    });
    await expect(checks.check('go', { v: 'aaa' })).resolves.toBeUndefined();
    await expect(checks.check('other', params)).resolves.toBeUndefined();
  });

  it.each([
    ['alternatives that double with each level', slowTree, { v: deep(40) }],
    ['items that must differ', unique, { v: rows(60_000) }],
    ['a reference to itself', { $ref: '#' }, {}],
  ])('never block the host: %s', async (_, schema, params) => {
    const checks = checksOf(schema);
    const stall = await longestStallMs(() =>
      expect(checks.check('go', params)).rejects.toMatchObject(tookTooLong),
    );
    // In the main thread they would take minutes or never end.
    expect(stall).toBeLessThan(5_000);
  });

  it('of other plugins are checked while one plugin keeps the checks busy', async () => {
    const hostile = checksOf(slowTree);
    const slow = Array.from({ length: 4 }, () => hostile.check('go', { v: deep(40) }));
    const all = Promise.allSettled(slow);
    let remaining = slow.length;
    for (const one of slow) one.catch(() => (remaining -= 1));
    await expect(checksOf(unique).check('go', { v: [1, 2] })).resolves.toBeUndefined();
    expect(remaining).toBeGreaterThanOrEqual(2);
    for (const one of await all) expect(one).toMatchObject({ reason: tookTooLong });
  });

  it('are queued up to a limit', async () => {
    const hostile = checksOf(unique);
    const calls = Array.from({ length: 150 }, () => hostile.check('go', { v: [1] }));
    const results = await Promise.allSettled(calls);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(49);
    expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', code: 'checks_busy' } });
  });

  it('are checked quickly in the main thread if the schema is simple', async () => {
    const checks = checksOf({ type: 'object', properties: { text: { type: 'string' } } });
    const params = { text: 'x'.repeat(1_000) };
    await checks.check('go', params);
    const started = performance.now();
    for (let n = 0; n < 1_000; n += 1) await checks.check('go', params);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('are refused if the installed schema requests asynchronous validation', async () => {
    for (const schema of [{ $async: true, required: ['x'] }, { allOf: [{ $async: true }] }]) {
      await expect(checksOf(schema).check('go', { x: 1 })).rejects.toMatchObject({
        code: 'invalid_params',
        message: expect.stringContaining('cannot be checked') as unknown,
      });
    }
  });
});

describe('the schemas of a manifest', () => {
  const problemsOf = (methods: Record<string, Schema>): Promise<unknown> => {
    const described = Object.entries(methods).map(([name, params]) => [name, { params }]);
    const manifest = {
      id: 'a',
      name: 'A',
      version: '1.0.0',
      methods: Object.fromEntries(described) as unknown,
    };
    return manifestProblems(PluginManifest.parse(manifest));
  };
  const bad = (name: string): unknown => ({
    path: `methods.${name}.params`,
    message: msg('plugins.notSchema'),
  });

  it('are rejected individually', async () => {
    const reference = { $ref: '#/$defs/none' };
    const hidden = { properties: { x: { items: { $async: true } } } };
    await expect(
      problemsOf({ a: { type: 'nothing' }, b: {}, c: reference, d: { $async: true }, e: hidden }),
    ).resolves.toEqual([bad('a'), bad('c'), bad('d'), bad('e')]);
    await expect(problemsOf({ a: { type: 'nothing' }, b: {} })).resolves.toEqual([bad('a')]);
  });

  it('may use the same $id for different schemas', async () => {
    const named = (type: string): Schema => ({
      $id: 'x:y',
      properties: { v: { $id: 'x:z', type } },
    });
    await expect(problemsOf({ a: named('string'), b: named('number') })).resolves.toEqual([]);
    await expect(problemsOf({ a: named('string'), b: { $ref: 'x:z' } })).resolves.toEqual([
      bad('b'),
    ]);
  });

  it('are compiled in time even if there are 500', async () => {
    const params = { properties: { a: { type: 'string' }, b: { anyOf: [{ type: 'array' }, {}] } } };
    const methods = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${n}`, params]));
    const stall = await longestStallMs(() => expect(problemsOf(methods)).resolves.toEqual([]));
    expect(stall).toBeLessThan(500);
  });

  it('are refused if they take too long to compile', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [
        `p${n}`,
        { anyOf: [{ type: 'string' }, { minimum: n }] },
      ]),
    );
    const methods = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`m${n}`, { properties }]),
    );
    await expect(problemsOf(methods)).resolves.toEqual([
      { path: 'methods', message: msg('plugins.schemasTooSlow') },
    ]);
  });
});
