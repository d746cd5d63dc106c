import { expect, it } from 'vitest';
import { catalogOf } from '../../../testing/mcp/catalog-of.ts';

/** Names that no model server accepts, that would become equal, or that repeat. */
const odd = [
  ...['plain', 'a.b', 'a b', 'a_b', 'a/b', '读取', '写入', '', '__proto__', 'plain'],
  ...['x'.repeat(100), `${'x'.repeat(100)}y`, '"}\n\u0000', '😀'],
];

it('every tool has a unique name for models, and is called by the name of its server', async () => {
  const catalog = await catalogOf({ odd, 'odd-2': odd });
  const tools = await catalog.list();
  const names = tools.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^mcp__odd(-2)?__[A-Za-z0-9_-]*$/);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(64);
  expect(tools.map(({ description }) => description).join()).not.toContain('\u001b');
  const { signal } = new AbortController();
  const called: string[] = [];
  for (const name of names) {
    const result = await catalog.run(name, {}, { callId: name, signal, sandboxed: false });
    expect(result.success, result.output).toBe(true);
    called.push(result.output);
  }
  const own = [...new Set(odd)].map((name) => name.toWellFormed());
  expect(called).toEqual([...own, ...own]);
});

it('the tools of a list are created once, so that compiled schemas are kept', async () => {
  const catalog = await catalogOf({ odd });
  const [first, second] = [await catalog.list(), await catalog.list()];
  expect(second.every((tool, at) => tool === first[at])).toBe(true);
});
