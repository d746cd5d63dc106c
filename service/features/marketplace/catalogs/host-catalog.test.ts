import { describe, expect, test } from 'vitest';
import type { Catalog, CatalogContext } from './catalog.ts';
import { parseCatalog } from './parse-catalog.ts';
import { textOf } from '../../../messages/index.ts';
import { inEnglish } from '../../../testing/in-english.ts';

const address = 'https://example.com/store/catalog.json';
const sample = {
  id: 'com.example.words',
  name: 'Words',
  version: '1.2.0',
  package: 'words-1.2.0.plugin',
};
const sha256 = 'Ab'.repeat(32);

function parse(plugins: unknown[], context: Partial<CatalogContext> = {}): Catalog {
  return parseCatalog({ plugins }, { kind: 'HOST', address, ...context });
}

function warningOf(entry: unknown, context: Partial<CatalogContext> = {}): string {
  const { entries, warnings } = parse([entry], context);
  expect(entries).toEqual([]);
  expect(warnings).toHaveLength(1);
  return textOf(warnings[0]!.reason);
}

describe('an entry of a catalog of packages', () => {
  test('has its manifest and the location of its package', () => {
    const raw = {
      ...sample,
      description: 'Counts\nwords',
      author: 'Example',
      category: 'documents',
      sha256,
      sizeBytes: 12_345,
      keywords: ['text'],
      homepage: 'https://example.com/words',
      permissions: ['files.read'],
    };
    const { entries, warnings } = parse([raw]);
    expect(warnings).toEqual([]);
    expect(entries).toEqual([
      {
        name: 'com.example.words',
        slug: 'com-example-words',
        title: 'Words',
        description: 'Counts words',
        version: '1.2.0',
        author: 'Example',
        category: 'documents',
        keywords: ['text'],
        homepage: 'https://example.com/words',
        source: {
          form: 'package',
          url: 'https://example.com/store/words-1.2.0.plugin',
          sha256: sha256.toLowerCase(),
          sizeBytes: 12_345,
        },
        strict: true,
        declared: {},
        manifest: expect.objectContaining({
          id: 'com.example.words',
          permissions: ['files.read'],
          worker: { runtime: 'java' },
        }),
        raw,
      },
    ]);
    expect(entries[0]!.manifest).not.toHaveProperty('sha256');
  });

  test.each([
    ['../words.plugin', address, 'https://example.com/words.plugin'],
    ['/p/words.plugin', address, 'https://example.com/p/words.plugin'],
    ['HTTP://cdn.example.com/w.plugin?v=1#x', address, 'http://cdn.example.com/w.plugin?v=1'],
    ['words.plugin', 'file:///opt/host/store/catalog.json', 'file:///opt/host/store/words.plugin'],
    ['words.plugin', `${address}?token=1`, 'https://example.com/store/words.plugin'],
  ])('with the package %j in %s is located at %s', (written, base, url) => {
    const { entries } = parse([{ ...sample, package: written }], { address: base });
    expect(entries[0]!.source).toEqual({ form: 'package', url, sha256: null, sizeBytes: null });
  });

  test.each<[string, unknown, string]>([
    ['no package', { ...sample, package: undefined }, 'does not specify a package'],
    ['a number for a package', { ...sample, package: 7 }, 'does not specify a package'],
    [
      'a package of another scheme',
      { ...sample, package: 'data:,x' },
      'has a package address that is not https, http or file',
    ],
    [
      'a package on a disk',
      { ...sample, package: 'file:///etc/x.plugin' },
      'has a package on a disk, which only a catalog on this computer may refer to',
    ],
    [
      'a password in the address',
      { ...sample, package: 'https://a:b@h/x.plugin' },
      'has a user name or a password in its package address',
    ],
    [
      'a broken address',
      { ...sample, package: 'https://h:x/' },
      'has a package address that cannot be read',
    ],
    [
      'a line break in the address',
      { ...sample, package: 'a\nb' },
      'has a package address that cannot be read',
    ],
    [
      'a short sha256',
      { ...sample, sha256: 'abc' },
      'has a sha256 that is not 64 hexadecimal digits',
    ],
    ['no id', { ...sample, id: undefined }, 'has a manifest that is not valid: id is required'],
    [
      'the id of a device',
      { ...sample, id: 'con' },
      'has a manifest that is not valid: id must not be the name of a Windows device',
    ],
    [
      'no version',
      { ...sample, version: undefined },
      'has a manifest that is not valid: version is required',
    ],
    [
      'an unusual version',
      { ...sample, version: '1.2' },
      'has a manifest that is not valid: version must be a semantic version such as 1.2.0',
    ],
    [
      'a page outside of ui',
      { ...sample, ui: { entry: 'x.html' } },
      'has a manifest that is not valid: ui.entry must be a file below ui/',
    ],
  ])('with %s is left out', (_what, entry, reason) => {
    expect(warningOf(entry)).toBe(`${reason}; it is left out`);
  });

  test.each([{ id: 'host.words' }, { id: 'host' }, { official: true }])(
    'that claims to be official by %j is accepted only from the built-in catalog',
    (claim) => {
      const entry = { ...sample, ...claim };
      expect(warningOf(entry)).toBe(
        'claims to be an official plugin; official plugins come only with the host; it is left out',
      );
      expect(parse([entry], { trusted: true })).toMatchObject({
        entries: [{ manifest: claim }],
        warnings: [],
      });
    },
  );

  test('with an invalid size is listed without it', () => {
    for (const sizeBytes of [-1, 1.5, '12', 2 ** 60]) {
      expect(parse([{ ...sample, sizeBytes }])).toMatchObject({
        entries: [{ source: { sizeBytes: null } }],
        warnings: [{ entry: sample.id }],
      });
    }
  });

  test('with the id of an earlier one is left out', () => {
    const twin = { ...sample, name: 'Twin' };
    const near = { ...sample, id: 'com.example-words', name: 'Near' };
    const { entries, warnings } = parse([sample, twin, near]);
    expect(entries.map((entry) => entry.title)).toEqual(['Words', 'Near']);
    expect(inEnglish(warnings)).toEqual([
      { entry: sample.id, reason: 'has the same ID as an earlier entry; it is left out' },
    ]);
  });

  test('is not affected by hostile keys', () => {
    const raw = JSON.parse(
      `{"__proto__":{"polluted":1},"methods":{"__proto__":{}},${JSON.stringify(sample).slice(1)}`,
    ) as unknown;
    expect(parse([raw]).entries[0]!.manifest).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});
