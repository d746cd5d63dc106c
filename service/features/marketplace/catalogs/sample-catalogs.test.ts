import { describe, expect, test } from 'vitest';
import {
  type CatalogDocument,
  catalogSets,
  sampleCatalogs,
} from '../../../testing/store/sample-catalogs.ts';
import type { Catalog } from './catalog.ts';
import { decodeCatalog } from './decode-catalog.ts';
import { detectKind } from './detect-kind.ts';
import { parseCatalog } from './parse-catalog.ts';
import { textOf } from '../../../messages/index.ts';

function load(text: string): Catalog {
  const document = decodeCatalog(Buffer.from(text));
  const kind = detectKind(document, 'https://example.com/catalogue.json')!;
  return parseCatalog(document, { kind, address: 'https://example.com/catalogue.git' });
}

const loadSample = (name: keyof typeof sampleCatalogs): Catalog =>
  load(JSON.stringify(sampleCatalogs[name]));

interface Counts {
  relative: number;
  whole: number;
  inside: number;
  withRef: number;
  withSha: number;
  versions: number;
}

/** Counts in the document, independent of the code under test. */
function countsOf({ plugins }: CatalogDocument): Counts {
  const sources = plugins.map(({ source }) => source as Record<string, string>);
  const isRelative = (source: unknown): boolean =>
    typeof source === 'string' || (source as { source: string }).source === 'local';
  const git = sources.filter((source) => !isRelative(source));
  return {
    relative: sources.length - git.length,
    whole: git.filter((source) => source['path'] === undefined).length,
    inside: git.filter((source) => source['path'] !== undefined).length,
    withRef: git.filter((source) => source['ref'] !== undefined).length,
    withSha: git.filter((source) => source['sha'] !== undefined).length,
    versions: plugins.filter((plugin) => plugin['version'] !== undefined).length,
  };
}

function countsIn({ entries }: Catalog): Counts {
  const sources = entries.map((entry) => entry.source);
  const git = sources.filter((source) => source.form === 'git');
  return {
    relative: sources.filter((source) => source.form === 'relative').length,
    whole: git.filter((source) => source.path === '').length,
    inside: git.filter((source) => source.path !== '').length,
    withRef: git.filter((source) => source.ref !== null).length,
    withSha: git.filter((source) => source.sha !== null).length,
    versions: entries.filter((entry) => entry.version !== null).length,
  };
}

describe.each(catalogSets())('$name: a catalog', ({ texts }) => {
  test.each(Object.entries(texts))('%s is read completely', (_, text) => {
    const catalog = load(text);
    const document = JSON.parse(text) as CatalogDocument;
    expect(catalog.name).toBe(document.name);
    expect(catalog.kind).toBe(document['interface'] === undefined ? 'CLAUDE' : 'AGENTS');
    expect(catalog.warnings.filter(({ reason }) => textOf(reason).includes('left out'))).toEqual(
      [],
    );
    expect(catalog.entries.map((entry) => entry.name)).toEqual(
      document.plugins.map((plugin) => plugin.name),
    );
    expect(countsIn(catalog)).toEqual(countsOf(document));
    for (const { source } of catalog.entries)
      if (source.form === 'git')
        expect(source.url).toMatch(/^https:\/\/github\.com\/[^/]+\/[^/]+\.git$/);
    expect(catalog.entries.filter((entry) => !entry.strict)).toHaveLength(
      document.plugins.filter((plugin) => plugin['strict'] === false).length,
    );
    expect(Object.keys(catalog.renames)).toEqual(Object.keys(document['renames'] ?? {}));
  });
});

describe('a catalog', () => {
  test('of many publishers has every form of a source', () => {
    const { entries } = loadSample('example-directory');
    expect(countsIn({ entries } as Catalog)).toEqual({
      relative: 47,
      whole: 185,
      inside: 54,
      withRef: 48,
      withSha: 239,
      versions: 14,
    });
    expect(
      entries.map(({ description }) => description?.length ?? 0).sort((a, b) => b - a)[0],
    ).toBeGreaterThan(400);
  });

  test('keeps the fields of an entry', () => {
    const catalog = loadSample('example-directory');
    const raw = sampleCatalogs['example-directory']?.plugins[20];
    expect(catalog.entries[20]).toEqual({
      name: 'entry-20',
      slug: 'entry-20',
      title: 'entry-20',
      description: raw?.['description'],
      version: null,
      author: '',
      category: 'security',
      keywords: ['notes', 'charts'],
      homepage: 'https://makers.example.com/20',
      source: {
        form: 'git',
        url: 'https://github.com/example-20/plugins-20.git',
        path: 'plugins/p20',
        ref: 'main',
        sha: (raw?.source as { sha: string }).sha,
      },
      strict: true,
      declared: {},
      manifest: null,
      raw,
    });
    expect(catalog.entries[1]).toMatchObject({
      author: 'Example Makers 1',
      source: { path: 'tools/t1', ref: null },
    });
    expect(catalog.entries[9]).toMatchObject({ title: 'Entry № 9', keywords: ['made-by-others'] });
    expect(catalog.renames['old.name']).toBe('entry-1');
  });

  test('may have several plugins in its root, distinguished by their skills', () => {
    const catalog = loadSample('example-skills');
    expect(catalog.description).toBe('Skills by example');
    for (const entry of catalog.entries)
      expect(entry).toMatchObject({ strict: false, source: { form: 'relative', path: '' } });
    expect(catalog.entries.map((entry) => (entry.declared.skills as string[]).length)).toEqual([
      4, 12, 1,
    ]);
  });

  test('is parsed quickly', () => {
    const text = JSON.stringify(sampleCatalogs['example-directory']);
    const costs = Array.from({ length: 10 }, () => {
      const before = process.cpuUsage();
      expect(load(text).entries).toHaveLength(286);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    // A few milliseconds; the best of ten, with tolerance for a busy machine.
    expect(Math.min(...costs)).toBeLessThan(50);
  });
});
