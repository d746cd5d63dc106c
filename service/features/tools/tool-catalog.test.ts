import { describe, expect, it, vi } from 'vitest';
import { ToolCatalog } from './tool-catalog.ts';
import { jsonResult, type Tool, type ToolRun } from './tool.ts';
import { englishText } from '../../testing/english-text.ts';
import { msg } from '../../messages/index.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  effect: 'read',
  run: (call) => Promise.resolve(jsonResult({ name, given: call.arguments })),
  ...more,
});
const run = (): ToolRun => ({
  callId: 'call-1',
  signal: new AbortController().signal,
  sandboxed: true,
});

function catalogOf(...families: (readonly Tool[])[]): {
  catalog: ToolCatalog;
  reportedErrors: string[];
} {
  const reportedErrors: string[] = [];
  const catalog = new ToolCatalog((what, error) =>
    reportedErrors.push(`${what}: ${String(error)}`),
  );
  for (const family of families) catalog.add({ list: () => family });
  return { catalog, reportedErrors };
}

const namesOf = async (catalog: ToolCatalog): Promise<string[]> =>
  (await catalog.list()).map(({ name }) => name);

describe('tool names', () => {
  it('of plugins are those of their manifests, with a prefix on a collision', async () => {
    const { catalog } = catalogOf(
      [tool('count', { pluginId: 'acme.words' }), tool('sum', { pluginId: 'acme.words' })],
      [tool('count', { pluginId: 'other.words-2' })],
    );
    expect(await namesOf(catalog)).toEqual(['acme_words__count', 'sum', 'other_words_2__count']);
    const found = await catalog.run('other_words_2__count', {}, run());
    expect(found).toEqual({ success: true, output: '{"name":"count","given":{}}' });
  });

  it('of the host are not available to plugins, whatever the order and whatever is switched off', async () => {
    const mine = { pluginId: 'acme.words' };
    const { catalog } = catalogOf(
      [tool('execute_command', mine), tool('memory_search', mine), tool('mcp__git__push', mine)],
      [tool('execute_command'), tool('later')],
      [tool('later', { description: 'another one' })],
    );
    catalog.add({ list: () => [], possibleTools: [tool('memory_search')] });
    catalog.add({ list: () => [], prefix: 'mcp__' });
    expect(await namesOf(catalog)).toEqual([
      'acme_words__execute_command',
      'acme_words__memory_search',
      'acme_words__mcp__git__push',
      'execute_command',
      'later',
    ]);
    expect((await catalog.find('execute_command'))?.pluginId).toBeUndefined();
    expect((await catalog.find('later'))?.description).toBe('does later');
  });

  it('are unique and at most 64 characters long, even for plugins with similar ids', async () => {
    const long = 'x'.repeat(64);
    const ids = ['acme.a-b', 'acme.a.b', 'acme.a_b'];
    const { catalog } = catalogOf(
      ids.flatMap((pluginId) => [tool('one', { pluginId }), tool(long, { pluginId })]),
    );
    const names = await namesOf(catalog);
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(await namesOf(catalog)).toEqual(names);
  });
});

describe('a tool source', () => {
  it('that hangs or throws neither delays nor hides the others', async () => {
    const { catalog, reportedErrors } = catalogOf([tool('one')]);
    const dead = Promise.withResolvers<Tool[]>();
    for (let count = 0; count < 10; count += 1) catalog.add({ list: () => dead.promise });
    catalog.add({
      list: () => {
        throw new Error('broken');
      },
    });
    catalog.add({ list: () => Promise.reject(new Error('gone')) });
    catalog.add({ list: () => Promise.resolve([tool('two')]) });
    const startedMs = performance.now();
    expect(await namesOf(catalog)).toEqual(['one', 'two']);
    const firstMs = performance.now() - startedMs;
    for (let count = 0; count < 100; count += 1)
      expect(await namesOf(catalog)).toEqual(['one', 'two']);
    // Each list is waited for once: a hundred lists do not take a hundred times as long.
    expect(performance.now() - startedMs).toBeLessThan(firstMs + 3_000);
    expect(reportedErrors.filter((line) => line.includes('broken'))).toHaveLength(1);
    expect(reportedErrors.filter((line) => line.includes('gone'))).toHaveLength(1);
    dead.resolve([tool('late')]);
    await expect.poll(() => namesOf(catalog)).toEqual(['one', 'late', 'two']);
  });

  it('is waited for as long as it requests, by default 100 ms', async () => {
    vi.useFakeTimers();
    try {
      const { catalog } = catalogOf();
      const later = (name: string, ms: number): Promise<Tool[]> =>
        new Promise((resolve) => setTimeout(() => resolve([tool(name)]), ms));
      catalog.add({ list: () => later('database', 2_000), waitMs: 5_000 });
      catalog.add({ list: () => later('late', 10_000) });
      catalog.add({ list: () => later('quick', 50) });
      const names = namesOf(catalog);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await names).toEqual(['database', 'quick']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that hangs delays a list by no more than its wait', async () => {
    vi.useFakeTimers();
    try {
      const { catalog } = catalogOf([tool('one')]);
      catalog.add({ list: () => new Promise(() => undefined), waitMs: 5_000 });
      const names = namesOf(catalog);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await names).toEqual(['one']);
      // The source is not waited for again.
      expect(await namesOf(catalog)).toEqual(['one']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that fails later keeps its last tools until it recovers or is removed', async () => {
    const { catalog } = catalogOf();
    let state: 'well' | 'broken' | 'empty' = 'well';
    const takeOut = catalog.add({
      list: async () => {
        if (state === 'broken') throw new Error('broken');
        return state === 'well' ? [tool('one')] : [];
      },
    });
    expect(await namesOf(catalog)).toEqual(['one']);
    state = 'broken';
    expect(await namesOf(catalog)).toEqual(['one']);
    state = 'empty';
    expect(await namesOf(catalog)).toEqual([]);
    state = 'well';
    expect(await namesOf(catalog)).toEqual(['one']);
    takeOut();
    expect(await namesOf(catalog)).toEqual([]);
  });
});

describe('a call', () => {
  const inputSchema = {
    type: 'object',
    properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
    required: ['text'],
  };
  const { catalog, reportedErrors } = catalogOf([
    tool('echo', { inputSchema }),
    tool('pattern', {
      inputSchema: { type: 'object', properties: { text: { pattern: '^(a+)+$' } } },
    }),
    tool('broken', { run: () => Promise.reject(new TypeError('/home/zoe/secret is not there')) }),
  ]);

  it('accepts JSON text or an object, and nothing for no arguments', async () => {
    const echoed = { success: true, output: '{"name":"echo","given":{"text":"a"}}' };
    expect(await catalog.run('echo', '{"text":"a"}', run())).toEqual(echoed);
    expect(await catalog.run('echo', { text: 'a' }, run())).toEqual(echoed);
    expect((await catalog.run('pattern', '', run())).success).toBe(true);
    expect((await catalog.run('pattern', undefined, run())).success).toBe(true);
  });

  it('that is invalid returns an explanation of what to do', async () => {
    const outputOf = async (name: string, input: unknown): Promise<string> => {
      const { success, output } = await catalog.run(name, input, run());
      expect(success).toBe(false);
      return output;
    };
    expect(await outputOf('ecko', {})).toBe(
      'There is no tool ecko. The tools are: echo, pattern, broken.',
    );
    expect(await outputOf('echo', '{"text": "a"')).toMatch(
      /^The arguments of echo are not valid JSON \(.+\)\. Send one JSON object\.$/,
    );
    for (const input of ['[]', '5', 'null ', []])
      expect(await outputOf('echo', input)).toMatch(/JSON object/);
    const wrong = 'The arguments of echo are not valid: text must be text.';
    expect(await catalog.run('echo', { text: 5, times: 0 }, run())).toEqual({
      success: false,
      output: wrong,
      reason: englishText(wrong),
      modelOutput: `${wrong} They must fit this JSON Schema: ${JSON.stringify(inputSchema)}`,
    });
    expect(await outputOf('echo', {})).toMatch(/must have the field “text”/);
    expect(await outputOf('echo', JSON.stringify({ text: 'x'.repeat(9 * 1024 ** 2) }))).toMatch(
      /longer than 8 MiB/,
    );
    expect(await outputOf('pattern', { text: `${'a'.repeat(50)}b` })).toMatch(
      /^The arguments of pattern are not valid: text must match the pattern /,
    );
  });

  it('with arguments of 5 MB runs like any other', async () => {
    const text = 'x'.repeat(5 * 1024 ** 2);
    expect((await catalog.run('echo', JSON.stringify({ text }), run())).output).toContain(text);
  });

  it('never rejects, and hides internal details from the model', async () => {
    expect(await catalog.run('broken', {}, run())).toEqual({
      success: false,
      output: 'The tool broken failed. The log of the host has the details.',
      reason: msg('tools.failed', { name: 'broken' }),
    });
    expect(reportedErrors).toEqual([
      'The tool broken failed: TypeError: /home/zoe/secret is not there',
    ]);
    const aborted = { ...run(), signal: AbortSignal.abort() };
    expect((await catalog.run('echo', { text: 'a' }, aborted)).output).toBe(
      'The call was cancelled.',
    );
  });
});
