import { describe, expect, test } from 'vitest';
import { inEnglish } from '../../../testing/in-english.ts';
import type { CatalogContext } from './catalog.ts';
import { parseCatalog } from './parse-catalog.ts';

const address = 'https://github.com/example/plugins.git';

type Parsed = ReturnType<typeof inEnglish<ReturnType<typeof parseCatalog>>>;
type ParsedEntry = Parsed['entries'][number];

function parse(
  plugins: unknown,
  context: Partial<CatalogContext> = {},
  top: Record<string, unknown> = {},
): Parsed {
  return inEnglish(parseCatalog({ ...top, plugins }, { kind: 'CLAUDE', address, ...context }));
}

function only(entry: unknown, context: Partial<CatalogContext> = {}): ParsedEntry {
  const { entries, warnings } = parse([entry], context);
  expect(warnings).toEqual([]);
  expect(entries).toHaveLength(1);
  return entries[0]!;
}

const plugin = (more: object): object => ({ name: 'words', source: './words', ...more });

describe('a document', () => {
  test.each<[unknown, string]>([
    [
      [{ name: 'x' }],
      'The document is not a catalog: it is a list. A catalog is an object with a list "plugins". Check the address.',
    ],
    [
      null,
      'The document is not a catalog: it is a single value. A catalog is an object with a list "plugins". Check the address.',
    ],
    [
      '<html>',
      'The document is not a catalog: it is a single value. A catalog is an object with a list "plugins". Check the address.',
    ],
    [
      42,
      'The document is not a catalog: it is a single value. A catalog is an object with a list "plugins". Check the address.',
    ],
    [
      { message: 'Not Found' },
      'The document is not a catalog: it is an object without "plugins". A catalog has a list "plugins". Check the address.',
    ],
    [
      { plugins: { x: {} } },
      'The document is not a catalog: its "plugins" is not a list. Check the address.',
    ],
  ])('%j is not a catalog', (document, message) => {
    expect(() => parseCatalog(document, { kind: 'CLAUDE', address })).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'invalid_catalog',
        message,
      }),
    );
  });

  test('may have no entries', () => {
    expect(parse([])).toEqual({
      kind: 'CLAUDE',
      name: null,
      description: null,
      entries: [],
      warnings: [],
      renames: {},
    });
  });

  test.each<[object, string | null, string | null]>([
    [{ name: 'tools', description: 'a\nb' }, 'tools', 'a b'],
    [{ name: 'tools', metadata: { description: 'inside' } }, 'tools', 'inside'],
    [{ interface: { displayName: 'Tools' } }, 'Tools', null],
    [{ name: 7, description: [], metadata: 'x', interface: null }, null, null],
  ])('%j has its own name and description', (top, name, description) => {
    expect(parse([], {}, { ...top })).toMatchObject({ name, description, warnings: [] });
  });

  test('keeps its renames, except for empty ones', () => {
    const renames = JSON.parse(
      '{"old":"new","gone":null,"__proto__":"safe","same":"same","..":"x","a":"..","b":7,"constructor":"c"}',
    ) as unknown;
    const catalog = parse([], {}, { renames });
    expect(Object.entries(catalog.renames)).toEqual([
      ['old', 'new'],
      ['gone', null],
      ['__proto__', 'safe'],
      ['constructor', 'c'],
    ]);
    expect(catalog.renames['toString']).toBeUndefined();
    expect(catalog.warnings.map((warning) => warning.entry)).toEqual(['same', '..', 'a', 'b']);
    expect(parse([], {}, { renames: ['x'] }).warnings).toHaveLength(1);
  });

  test('with more than 5 000 entries is shortened, with a warning', () => {
    const plugins = Array.from({ length: 5_001 }, (_, i) => ({ name: `p${i}`, source: './p' }));
    const { entries, warnings } = parse(plugins);
    expect(entries).toHaveLength(5_000);
    expect(warnings).toEqual([
      { entry: '', reason: 'has 5001 entries; only the first 5000 are listed' },
    ]);
  });

  test('has at most 1 000 warnings and the number of the others', () => {
    expect(parse(Array.from({ length: 1_000 }, () => null)).warnings).toHaveLength(1_000);
    const { warnings } = parse(Array.from({ length: 1_500 }, () => null));
    expect(warnings).toHaveLength(1_000);
    expect(warnings[998]).toEqual({
      entry: 'entry 999',
      reason: 'is not an object; it is left out',
    });
    expect(warnings[999]).toEqual({
      entry: '',
      reason: 'has 501 more warnings that are not shown',
    });
  });
});

describe('an invalid entry is left out with its reason, and the others are kept:', () => {
  test.each<[string, unknown, string, string]>([
    ['null', null, 'entry 2', 'is not an object'],
    ['a text', './x', 'entry 2', 'is not an object'],
    ['a list', [], 'entry 2', 'is not an object'],
    ['no name', { source: './x' }, 'entry 2', 'has no name'],
    ['a number as name', plugin({ name: 4 }), 'entry 2', 'has a name that is not text'],
    ['an empty name', plugin({ name: ' ' }), 'entry 2', 'has an empty name'],
    ['..', plugin({ name: '..' }), '..', 'has a name without a letter or digit'],
    [
      'an endless name',
      plugin({ name: 'x'.repeat(1_001) }),
      `${'x'.repeat(200)}…`,
      'has a name of more than 1000 characters',
    ],
    ['no source', { name: 'b' }, 'b', 'has no source'],
    ['an empty source', { name: 'b', source: '' }, 'b', 'has no source'],
    [
      'a number as source',
      { name: 'b', source: 4 },
      'b',
      'has a source that is neither a path nor an object',
    ],
    ['control characters', { name: 'b\u0007' }, 'b\uFFFD', 'has no source'],
  ])('%s', (_what, bad, label, reason) => {
    const { entries, warnings } = parse([plugin({ name: 'a' }), bad, plugin({ name: 'c' })]);
    expect(entries.map((entry) => entry.name)).toEqual(['a', 'c']);
    expect(warnings).toEqual([{ entry: label, reason: `${reason}; it is left out` }]);
  });

  test.each<[unknown, string]>([
    ['../x', 'has ".." in its path, which points outside the repository'],
    ['./../x', 'has ".." in its path, which points outside the repository'],
    ['./a/../../x', 'has ".." in its path, which points outside the repository'],
    ['/etc', 'has an absolute path, which points outside the repository'],
    ['C:/x', 'has an absolute path, which points outside the repository'],
    ['.\\x', 'has a backslash in its path'],
    ['./a\u0000b', 'has a control character in its path'],
    ['./a:b', 'has a part in its path that is not a valid file name on every system'],
    ['./nul', 'has a part in its path that is not a valid file name on every system'],
    ['./a./b', 'has a part in its path that is not a valid file name on every system'],
    ['./.git/hooks', "has a path into git's own files"],
    ['./.GIT', "has a path into git's own files"],
    [`./${'a/'.repeat(33)}`, 'has a path of more than 32 parts'],
    [`./${'a'.repeat(1_100)}`, 'has a path that is too long'],
    ['words', 'has a path in its source that does not start with "./"'],
    ['https://h/x', 'has an address as its source, which must be in an object'],
    [{ source: 'local' }, 'has no path in its source'],
    [{ source: 'local', path: 'x' }, 'has a path in its source that does not start with "./"'],
    [{ source: 'url' }, 'has no url in its source'],
    [{ source: 'url', url: 7 }, 'has no url in its source'],
    [{ source: 'github' }, 'has no repo in its source'],
    [{ source: 'git-subdir', url: 'o/r' }, 'has no path in its source'],
    [
      { source: 'url', url: 'o/r', path: '../x' },
      'has ".." in its path, which points outside the repository',
    ],
    [{ source: 'url', url: 'o/r', path: 1 }, 'has a path in its source that is not text'],
    [{ source: 'pip', package: 'x' }, 'has a source of an unknown form "pip"'],
    [{ source: '__proto__' }, 'has a source of an unknown form "__proto__"'],
    [{ source: {} }, 'has a source of an unknown form'],
    [{ url: 'o/r' }, 'has a source of an unknown form'],
  ])('the source %j', (source, reason) => {
    const { entries, warnings } = parse([{ name: 'a', source }]);
    expect(entries).toEqual([]);
    expect(warnings).toEqual([{ entry: 'a', reason: `${reason}; it is left out` }]);
  });

  test.each(['abc', 'g'.repeat(40), 'a'.repeat(41), 'a'.repeat(64), 7])('the sha %j', (sha) => {
    const { warnings } = parse([{ name: 'a', source: { source: 'url', url: 'o/r', sha } }]);
    expect(warnings).toEqual([
      {
        entry: 'a',
        reason: 'has a sha that is not 40 hexadecimal digits; it is left out',
      },
    ]);
  });

  test.each([
    ...['-x', '--upload-pack=x', '+main', '/main', 'main/', 'a..b', 'a b', 'a:b', 'a^', 'a~1'],
    ...['a?', 'a*', 'a[b', 'a\\b', 'a//b', '@', 'a@{1}', '.a', 'a/.b', 'a.lock', 'a.lock/b', 'a.'],
    ...['a\u0000', 'a\nb', 'x'.repeat(251), 7, ['main']],
  ])('the ref %j', (ref) => {
    const { warnings } = parse([{ name: 'a', source: { source: 'url', url: 'o/r', ref } }]);
    expect(warnings).toEqual([
      {
        entry: 'a',
        reason: 'has a ref that cannot be the name of a branch or tag; it is left out',
      },
    ]);
  });
});

describe('the source of an entry', () => {
  const sha = '0123456789abcdef0123456789ABCDEF01234567';
  const git = { form: 'git', url: 'https://github.com/o/r.git', path: '', ref: null, sha: null };

  test.each<[unknown, object]>([
    ['./', { form: 'relative', path: '' }],
    ['.', { form: 'relative', path: '' }],
    ['./plugins/words', { form: 'relative', path: 'plugins/words' }],
    ['./plugins//words/./', { form: 'relative', path: 'plugins/words' }],
    ['./.claude/Größe', { form: 'relative', path: '.claude/Größe' }],
    [
      { source: 'local', path: './x' },
      { form: 'relative', path: 'x' },
    ],
    [{ source: 'github', repo: 'o/r' }, git],
    [
      { source: 'github', repo: 'o/r', ref: 'v1.0', sha },
      { ...git, ref: 'v1.0', sha: sha.toLowerCase() },
    ],
    [{ source: 'url', url: 'o/r', ref: '', sha: null }, git],
    [
      { source: 'url', url: 'https://github.com/o/r.git', path: './a/' },
      { ...git, path: 'a' },
    ],
    [
      { source: 'url', url: 'HTTPS://Example.com/x', ref: 'feature/a-b_c.1' },
      { ...git, url: 'https://example.com/x', ref: 'feature/a-b_c.1' },
    ],
    [
      { source: 'git-subdir', url: 'o/r', path: 'a/b' },
      { ...git, path: 'a/b' },
    ],
    [{ source: 'git-subdir', url: 'o/r', path: './' }, git],
  ])('%j is read in every kind of catalog', (source, expected) => {
    expect(only({ name: 'a', source }).source).toEqual(expected);
    expect(only({ name: 'a', source }, { kind: 'AGENTS' }).source).toEqual(expected);
  });

  test.each<[unknown, RegExp]>([
    [{ source: 'npm', package: 'x' }, /^It is an npm package\. /],
    [{ source: 'archive', url: 'https://h/x.zip' }, /^It is an archive /],
    [{ source: 'command', command: 'rm -rf /' }, /^It is fetched by its own command/],
    [{ source: 'url', url: '-x' }, /starts with "-"/],
    [{ source: 'url', url: 'ext::sh -c x' }, /helper program/],
    [{ source: 'url', url: 'git@github.com:o/r.git' }, /SSH address/],
    [{ source: 'git-subdir', url: 'ssh://git@h/x', path: 'x' }, /"ssh:"/],
    [{ source: 'github', repo: 'git://h/x' }, /"git:"/],
    [{ source: 'url', url: '../x' }, /is relative/],
    [{ source: 'url', url: 'file:///srv/x' }, /file address/],
  ])('%j is listed and cannot be installed', (source, reason) => {
    expect(only({ name: 'a', source }).source).toEqual({
      form: 'none',
      reason: expect.stringMatching(reason) as string,
    });
  });

  test('may be a file address in a catalog on this computer', () => {
    const entry = { name: 'a', source: { source: 'url', url: 'file:///srv/x' } };
    expect(only(entry, { address: 'file:///srv/list' }).source).toMatchObject({
      form: 'git',
      url: 'file:///srv/x',
    });
  });

  test('may be a plain name below the pluginRoot, which other paths do not use', () => {
    const plugins = ['words', './plugins/words', 'a/b'].map((source, i) => ({
      name: `p${i}`,
      source,
    }));
    const paths = (pluginRoot: unknown): unknown[] =>
      parse(plugins, {}, { metadata: { pluginRoot } }).entries.map(({ source }) =>
        source.form === 'relative' ? source.path : null,
      );
    expect(paths('./plugins')).toEqual(['plugins/words', 'plugins/words', 'plugins/a/b']);
    expect(paths('./')).toEqual(['words', 'plugins/words', 'a/b']);
    expect(paths(undefined)).toEqual(['plugins/words']);
    const bad = parse(plugins, {}, { metadata: { pluginRoot: '../x' } });
    expect(bad.entries).toHaveLength(1);
    expect(bad.warnings[0]).toEqual({
      entry: '',
      reason:
        'has a pluginRoot that is not used: it has ".." in its path, which points outside the repository',
    });
  });
});

describe('the name of an entry', () => {
  test.each([
    ['CON', 'plugin-con', 'has the name of a Windows device and is listed as plugin-con'],
    ['../../x', 'x', 'has a name that looks like a path or hides characters and is listed as x'],
    [
      'a\u202Eb',
      'a-b',
      'has a name that looks like a path or hides characters and is listed as a-b',
    ],
  ])('%j becomes the safe part of a path %j', (name, slug, reason) => {
    const { entries, warnings } = parse([plugin({ name })]);
    expect(entries).toMatchObject([{ name, slug }]);
    expect(warnings.map((warning) => warning.reason)).toEqual([reason]);
  });

  test('with 300 characters is shortened', () => {
    const name = 'abc-'.repeat(75);
    const { entries, warnings } = parse([plugin({ name })]);
    expect(entries[0]!.slug).toMatch(/^(abc-){12}abc-[0-9a-f]{8}$/);
    expect(warnings[0]!.reason).toBe(`has a very long name and is listed as ${entries[0]!.slug}`);
  });

  test.each(['My Plugin', 'example.com', 'acme_tools', '工具'])(
    'may be %j without a warning',
    (name) => {
      expect(only(plugin({ name }))).toMatchObject({ name, title: name });
    },
  );

  test('that exists already does not replace the first', () => {
    const { entries, warnings } = parse([
      plugin({ name: 'My Plugin', source: './1' }),
      plugin({ name: 'My Plugin', source: './2' }),
      plugin({ name: 'my.plugin', source: './3' }),
      plugin({ name: 'My Plugin', source: './1' }),
    ]);
    expect(entries).toMatchObject([{ slug: 'my-plugin', source: { path: '1' } }]);
    expect(warnings).toEqual([
      { entry: 'My Plugin', reason: 'has the same name as an earlier entry; it is left out' },
      {
        entry: 'my.plugin',
        reason: 'would be listed as my-plugin, like the earlier entry "My Plugin"; it is left out',
      },
      { entry: 'My Plugin', reason: 'has the same name as an earlier entry; it is left out' },
    ]);
  });

  test('may be the name of a built-in object property', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { entries } = parse(names.map((name) => plugin({ name })));
    expect(entries.map((entry) => entry.slug)).toEqual(['proto__', 'constructor', 'tostring']);
  });
});

describe('the texts of an entry', () => {
  test.each<[object, object]>([
    [{ displayName: 'Words!' }, { title: 'Words!' }],
    [{ displayName: '\u200B' }, { title: 'words' }],
    [{ displayName: 'x'.repeat(300) }, { title: `${'x'.repeat(199)}…` }],
    [{ description: 'a\r\nb\u202Ec' }, { description: 'a b\uFFFDc' }],
    [{ description: 'x'.repeat(5_000) }, { description: `${'x'.repeat(3_999)}…` }],
    [{ description: {} }, { description: '' }],
    [{ author: 'Example' }, { author: 'Example' }],
    [{ author: { name: 'Example', email: 'a@b' } }, { author: 'Example' }],
    [{ author: { name: 7 } }, { author: '' }],
    [{ category: 'x'.repeat(101) }, { category: `${'x'.repeat(99)}…` }],
    [
      { keywords: ['a', 'a', 1, ' b ', 'x'.repeat(61)], tags: ['c'] },
      { keywords: ['a', 'b', `${'x'.repeat(59)}…`, 'c'] },
    ],
    [{ keywords: 'a' }, { keywords: [] }],
    [{ homepage: 'https://example.com/x?y#z' }, { homepage: 'https://example.com/x?y#z' }],
    [{ repository: 'https://example.com/x' }, { homepage: 'https://example.com/x' }],
    [{ homepage: 'javascript:alert(1)' }, { homepage: null }],
    [{ homepage: 'https://a:b@example.com/' }, { homepage: null }],
    [{ homepage: 'https://example.com/ x' }, { homepage: null }],
    [{ homepage: 'example.com' }, { homepage: null }],
    [{ version: '1.2.3-rc.1' }, { version: '1.2.3-rc.1' }],
    [{ version: '0.0.2026021001' }, { version: '0.0.2026021001' }],
    [{ version: 'v1.2.3' }, { version: '1.2.3' }],
    [{ version: '1.2' }, { version: null }],
    [{ version: 1 }, { version: null }],
    [{ strict: false }, { strict: false }],
    [{ strict: 'no' }, { strict: true }],
    [{ skills: ['./a'], hooks: {}, lspServers: {} }, { declared: { skills: ['./a'], hooks: {} } }],
  ])('%j', (written, expected) => {
    expect(only(plugin(written))).toMatchObject(expected);
  });

  test('include at most 50 keywords', () => {
    const keywords = Array.from({ length: 60 }, (_, i) => `k${i}`);
    expect(only(plugin({ keywords })).keywords).toEqual(keywords.slice(0, 50));
  });
});

describe('an entry for agents', () => {
  const agents = { kind: 'AGENTS' } as const;
  const local = { name: 'a', source: { source: 'local', path: './plugins/a' } };

  test.each([
    undefined,
    null,
    {},
    { installation: 'AVAILABLE', authentication: 'ON_INSTALL', products: ['CODEX'] },
    { installation: 'INSTALLED_BY_DEFAULT', authentication: 'ON_USE' },
    { installation: null },
  ])('with the policy %j can be installed', (policy) => {
    expect(only({ ...local, policy }, agents).source).toEqual({
      form: 'relative',
      path: 'plugins/a',
    });
  });

  test.each([
    [{ installation: 'NOT_AVAILABLE' }, 'Its publisher does not offer it for installation.'],
    [{ products: [] }, 'Its publisher does not offer it for any product.'],
  ])('with the policy %j is listed only', (policy, reason) => {
    expect(only({ ...local, policy }, agents).source).toEqual({ form: 'none', reason });
  });

  test('with an unknown policy is only listed, with a warning', () => {
    const { entries, warnings } = parse([{ ...local, policy: { installation: 'MAYBE' } }], agents);
    expect(entries).toMatchObject([{ source: { form: 'none' } }]);
    expect(warnings).toEqual([
      { entry: 'a', reason: 'has an unknown installation policy and cannot be installed' },
    ]);
  });

  test('may have its texts in its interface', () => {
    const facade = {
      displayName: 'Words',
      shortDescription: 'Counts',
      developerName: 'Example',
      category: 'Productivity',
      websiteUrl: 'https://example.com/w',
    };
    expect(only({ ...local, interface: facade }, agents)).toMatchObject({
      title: 'Words',
      description: 'Counts',
      author: 'Example',
      category: 'Productivity',
      homepage: 'https://example.com/w',
    });
  });

  test('may name a repository relative to its catalog', () => {
    const entry = { name: 'a', source: { source: 'url', url: '../other.git' } };
    const asked: string[] = [];
    const answering = (answer: string | null): ParsedEntry =>
      only(entry, { ...agents, resolveAgainst: (url) => (asked.push(url), answer) });
    expect(answering('https://example.com/o/other.git').source).toMatchObject({
      form: 'git',
      url: 'https://example.com/o/other.git',
    });
    expect(answering(null).source).toMatchObject({ form: 'none' });
    expect(answering('ssh://example.com/other.git').source).toMatchObject({ form: 'none' });
    expect(answering('file:///srv/other.git').source).toMatchObject({ form: 'none' });
    expect(asked).toEqual(Array.from({ length: 4 }, () => '../other.git'));
    expect(only(entry, agents).source).toMatchObject({ form: 'none' });
  });

  test('in an index of repositories is read', () => {
    const sha = 'f'.repeat(40);
    const { entries, warnings } = parse(
      [
        { name: 'a', source: { source: 'url', url: 'https://github.com/o/a', ref: 'main', sha } },
        {
          name: 'b',
          source: { source: 'git-subdir', url: 'o/b', path: './plugins/b', ref: 'v1', sha },
        },
        { name: 'c', source: { source: 'url', url: 'https://github.com/o/c.git', path: './' } },
        { name: 'd', source: { source: 'npm', package: 'd' } },
        { name: 'e', source: { source: 'local', path: './e' } },
        { name: 'e', source: { source: 'local', path: './e' } },
      ],
      agents,
    );
    expect(entries.map(({ source }) => source)).toMatchObject([
      { form: 'git', url: 'https://github.com/o/a.git', path: '', ref: 'main', sha },
      { form: 'git', url: 'https://github.com/o/b.git', path: 'plugins/b', ref: 'v1', sha },
      { form: 'git', url: 'https://github.com/o/c.git', path: '' },
      { form: 'none' },
      { form: 'relative', path: 'e' },
    ]);
    expect(warnings).toHaveLength(1);
  });
});
