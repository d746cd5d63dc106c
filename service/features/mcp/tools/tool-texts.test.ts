import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../contract/index.ts';
import { outputOf } from './call-output.ts';
import { isLarger } from './is-larger.ts';
import { visibleDescription } from './tool-description.ts';
import { effectOf } from './tool-effect.ts';
import { catalogName } from './tool-name.ts';

describe('the name of a tool in the catalog', () => {
  const server32 = 's'.repeat(32);

  it.each([
    ['files', 'read_file', 'mcp__files__read_file'],
    ['a-b_c', '_private', 'mcp__a-b_c___private'],
    ['files', 'Read-It', 'mcp__files__Read-It'],
    [server32, 't'.repeat(25), `mcp__${server32}__${'t'.repeat(25)}`],
  ])('of %s and %s combines both', (server, tool, name) => {
    expect(catalogName(server, tool)).toBe(name);
  });

  it.each([
    ['a.b/c', /^mcp__files__a_b_c_[0-9a-f]{8}$/],
    ['read file', /^mcp__files__read_file_[0-9a-f]{8}$/],
    ['读取文件', /^mcp__files_______[0-9a-f]{8}$/],
    ['x'.repeat(1_000), /^mcp__files__x{43}_[0-9a-f]{8}$/],
    ['😀'.repeat(100), /^mcp__files__[_]{43}_[0-9a-f]{8}$/],
    ['a\n\u0000"}', /^mcp__files__a_____[0-9a-f]{8}$/],
  ])('of %j is made valid for every model server', (tool, expected) => {
    const name = catalogName('files', tool);
    expect(name).toMatch(expected);
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(catalogName('files', tool)).toBe(name);
  });

  it('is unique for each tool, however similar they are', () => {
    const tools = [
      ...['a.b', 'a b', 'a_b', 'a/b', 'a\tb', 'a__b', 'A.b', 'a.b ', 'ä', 'ö'],
      ...['x'.repeat(80), `${'x'.repeat(80)}y`, 'x'.repeat(81), `${'x'.repeat(79)}.`],
    ];
    const servers = ['s', 'S-1', 's'.repeat(32), `${'s'.repeat(31)}t`];
    const names = servers.flatMap((server) => tools.map((tool) => catalogName(server, tool)));
    expect(new Set(names).size).toBe(servers.length * tools.length);
  });

  it('always begins with the complete name of its server', () => {
    for (const tool of ['x', 'x'.repeat(1_000), 'a.b', '__x'])
      expect(catalogName(server32, tool).split('__')[1]).toBe(server32);
  });
});

describe('the effect of a tool', () => {
  it.each<[ToolAnnotations | undefined, Effect]>([
    [undefined, 'external'],
    [{}, 'external'],
    [{ readOnlyHint: true }, 'read'],
    [{ readOnlyHint: true, openWorldHint: true }, 'read'],
    [{ readOnlyHint: false }, 'external'],
    [{ openWorldHint: false }, 'write'],
    [{ openWorldHint: false, destructiveHint: true }, 'write'],
    [{ openWorldHint: true }, 'external'],
    [{ destructiveHint: false, idempotentHint: true }, 'external'],
  ])('of %j is %s, and without trust always external', (annotations, effect) => {
    expect(effectOf(annotations, true)).toBe(effect);
    expect(effectOf(annotations, false)).toBe('external');
  });
});

describe('the description of a tool', () => {
  it.each([
    [{ description: 'Reads.\r\n\tA file.\rNow.' }, 'Reads.\n\tA file.\nNow.'],
    [{ title: 'Reader' }, 'Reader'],
    [{ description: '', title: 'Reader' }, ''],
    [{}, ''],
    [{ description: 'a\u0000b\u001b[31mc\u007f' }, 'a\ufffdb\ufffd[31mc\ufffd'],
    [{ description: 'safe\u202eelif\u2066x' }, 'safe\ufffdelif\ufffdx'],
    [{ description: 'a\u{e0049}\u{e0047}b' }, 'ab'],
    [{ description: 'half \ud83d' }, 'half '],
    [{ description: '\udc00 half' }, '\ufffd half'],
    [{ description: '👩‍💻 ünïcode 日本' }, '👩‍💻 ünïcode 日本'],
  ])('%j is shown as %j', (tool, expected) => {
    expect(visibleDescription(tool, 100)).toBe(expected);
  });

  it('is not cut within a character', () => {
    expect(visibleDescription({ description: 'x'.repeat(10 ** 6) }, 100)).toHaveLength(100);
    expect(visibleDescription({ description: `${'x'.repeat(99)}😀` }, 100)).toBe('x'.repeat(99));
  });
});

describe('a schema', () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

  it.each<[string, unknown, boolean]>([
    ['small', { type: 'object', properties: { a: { enum: [1, null, 'x'] } } }, false],
    ['of one long text', { description: 'x'.repeat(1_001) }, true],
    ['of many texts', { enum: Array(300).fill('x') }, true],
    ['of many keys', Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i, 1])), true],
    ['of 90 levels', nested(90), false],
    ['of 200 levels', nested(200), true],
    ['of 200 000 levels', nested(200_000), true],
  ])('%s is measured correctly', (_, schema, isTooLarge) => {
    expect(isLarger(schema, 1_000)).toBe(isTooLarge);
  });

  it('that is endless is read only up to the limit', () => {
    const reads: string[] = [];
    const endless = new Proxy(Array(10 ** 6).fill('x') as string[], {
      get: (list, key) => (reads.push(String(key)), Reflect.get(list, key) as unknown),
    });
    expect(isLarger({ enum: endless }, 1_000)).toBe(true);
    expect(reads.length).toBeLessThan(1_000);
  });
});

describe('the result of a call', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'aGk=' } as const;
  const blob = (mimeType?: string) =>
    ({
      type: 'resource',
      resource: { uri: 'x://b', blob: 'aGk=', ...(mimeType ? { mimeType } : {}) },
    }) as const;
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;

  it.each<[string, CallToolResult, Awaited<ReturnType<typeof outputOf>>]>([
    [
      'texts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '' },
          { type: 'text', text: 'b' },
        ],
      },
      { success: true, output: 'a\nb' },
    ],
    ['nothing', { content: [] }, { success: true, output: '' }],
    [
      'an image',
      { content: [image] },
      {
        success: true,
        output: '[image, image/png]',
        images: [{ mimeType: 'image/png', data: 'aGk=' }],
      },
    ],
    [
      'an image of a kind that models do not take',
      { content: [{ ...image, mimeType: 'image/svg+xml' }] },
      { success: true, output: '[image, image/svg+xml]' },
    ],
    [
      'an image that is too large for models',
      { content: [{ ...image, data: 'a'.repeat(8 * 1024 ** 2) }] },
      { success: true, output: '[image, image/png]' },
    ],
    [
      'an empty image',
      { content: [{ ...image, data: '' }] },
      { success: true, output: '[image, image/png]' },
    ],
    [
      'audio',
      { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'aGk=' }] },
      { success: true, output: '[audio, audio/wav]' },
    ],
    [
      'links',
      { content: [link, { ...link, description: 'The file.' }] },
      { success: true, output: '[resource file:///a: a]\n[resource file:///a: a, The file.]' },
    ],
    [
      'an embedded text',
      { content: [{ type: 'resource', resource: { uri: 'x://t', text: 'inside' } }] },
      { success: true, output: '[resource x://t]\ninside' },
    ],
    [
      'embedded bytes',
      { content: [blob()] },
      { success: true, output: '[resource x://b, binary]' },
    ],
    [
      'an embedded image',
      { content: [blob('image/PNG')] },
      {
        success: true,
        output: '[resource x://b, image/PNG]',
        images: [{ mimeType: 'image/png', data: 'aGk=' }],
      },
    ],
    [
      'structured content alone',
      { content: [], structuredContent: { a: [1] } },
      { success: true, output: '{"a":[1]}' },
    ],
    [
      'structured content beside an image',
      { content: [{ ...image, mimeType: 'image/tiff' }], structuredContent: { a: 1 } },
      { success: true, output: '[image, image/tiff]\n{"a":1}' },
    ],
    [
      'structured content that is also told as text',
      { content: [{ type: 'text', text: '{"a": 1}' }], structuredContent: { a: 1 } },
      { success: true, output: '{"a": 1}' },
    ],
    [
      'a failure',
      { content: [{ type: 'text', text: 'No such file.' }], isError: true },
      { success: false, output: 'No such file.' },
    ],
    [
      'a failure without words',
      { content: [], isError: true },
      { success: false, output: 'The tool failed without saying why.' },
    ],
    [
      'half a character',
      { content: [{ type: 'text', text: 'a\ud83d' }] },
      { success: true, output: 'a\ufffd' },
    ],
  ])('with %s is passed to the model', (_, result, expected) => {
    expect(outputOf(result)).toEqual(expected);
  });

  it('contains at most 20 images and 16 Mi characters', () => {
    expect(outputOf({ content: Array(30).fill(image) as (typeof image)[] }).images).toHaveLength(
      20,
    );
    const text = 'x'.repeat(17 * 1024 ** 2);
    expect(outputOf({ content: [{ type: 'text', text }] }).output).toHaveLength(16 * 1024 ** 2);
  });
});
