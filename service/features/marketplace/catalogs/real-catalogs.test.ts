import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeCatalog } from './decode-catalog.ts';
import { detectKind } from './detect-kind.ts';
import { parseCatalog } from './parse-catalog.ts';
import type { SourceKind } from '../../../contract/store.ts';
import type { Catalog } from './catalog.ts';

const directory = join(import.meta.dirname, '../../../testing/marketplaces');

async function load(
  file: string,
): Promise<{ catalog: Catalog; document: { plugins: { name: string; source: unknown }[] } }> {
  const document = decodeCatalog(await readFile(join(directory, file)));
  const kind = detectKind(document, 'https://example.com/catalogue.json')!;
  const catalog = parseCatalog(document, { kind, address: 'https://example.com/catalogue.git' });
  return { catalog, document: document as never };
}

interface Expected {
  file: string;
  kind: SourceKind;
  name: string;
  relative: number;
  git: { whole: number; inside: number; withRef: number; withSha: number };
  versions: number;
}
const noGit = { whole: 0, inside: 0, withRef: 0, withSha: 0 };
const files: Expected[] = [
  {
    ...{ file: 'anthropics-claude-code.json', kind: 'CLAUDE', name: 'claude-code-plugins' },
    ...{ relative: 13, git: noGit, versions: 12 },
  },
  {
    ...{ file: 'anthropics-official.json', kind: 'CLAUDE', name: 'claude-plugins-official' },
    ...{ relative: 53, git: { whole: 146, inside: 87, withRef: 82, withSha: 233 }, versions: 14 },
  },
  {
    ...{ file: 'anthropics-skills.json', kind: 'CLAUDE', name: 'anthropic-agent-skills' },
    ...{ relative: 3, git: noGit, versions: 0 },
  },
  {
    ...{ file: 'openai-plugins.json', kind: 'AGENTS', name: 'openai-curated' },
    ...{ relative: 180, git: noGit, versions: 0 },
  },
  {
    ...{ file: 'wshobson-claude.json', kind: 'CLAUDE', name: 'claude-code-workflows' },
    ...{ relative: 91, git: { whole: 0, inside: 1, withRef: 0, withSha: 0 }, versions: 92 },
  },
];

describe('a catalogue of the field', () => {
  test.each(files)('$file is read whole', async ({ file, kind, name, ...counts }) => {
    const { catalog, document } = await load(file);
    expect(catalog).toMatchObject({ kind, name, warnings: [] });
    expect(catalog.entries.map((entry) => entry.name)).toEqual(
      document.plugins.map((plugin) => plugin.name),
    );
    const sources = catalog.entries.map((entry) => entry.source);
    const git = sources.filter((source) => source.form === 'git');
    expect({
      relative: sources.filter((source) => source.form === 'relative').length,
      git: {
        whole: git.filter((source) => source.path === '').length,
        inside: git.filter((source) => source.path !== '').length,
        withRef: git.filter((source) => source.ref !== null).length,
        withSha: git.filter((source) => source.sha !== null).length,
      },
      versions: catalog.entries.filter((entry) => entry.version !== null).length,
    }).toEqual(counts);
    expect(sources).toHaveLength(counts.relative + git.length);
    for (const { url } of git) expect(url).toMatch(/^https:\/\/github\.com\/[^/]+\/[^/]+\.git$/);
  });

  test('keeps the fields of an entry', async () => {
    const { catalog, document } = await load('anthropics-official.json');
    const [first] = catalog.entries;
    expect(first).toEqual({
      name: '42crunch-api-security-testing',
      slug: '42crunch-api-security-testing',
      title: '42crunch-api-security-testing',
      description: (document.plugins[0] as unknown as { description: string }).description,
      version: null,
      author: '42Crunch',
      category: 'security',
      keywords: [],
      homepage: 'https://42crunch.com',
      source: {
        form: 'git',
        url: 'https://github.com/42Crunch-AI/claude-plugins.git',
        path: 'plugins/api-security-testing',
        ref: 'v1.5.5',
        sha: '30287f5e3f122a646d1ac5ca3ab96e130c52a3ad',
      },
      strict: true,
      declared: {},
      manifest: null,
      raw: document.plugins[0],
    });
    expect(catalog.entries.filter((entry) => !entry.strict)).toHaveLength(
      document.plugins.filter((plugin) => (plugin as { strict?: boolean }).strict === false).length,
    );
    expect(Object.entries(catalog.renames)).toHaveLength(9);
    expect(catalog.renames['wordpress.com']).toBe('build-with-wordpress');
  });

  test('may have several plugins in its root, told apart by their skills', async () => {
    const { catalog } = await load('anthropics-skills.json');
    expect(catalog.description).toBe('Anthropic example skills');
    for (const entry of catalog.entries) {
      expect(entry).toMatchObject({ strict: false, source: { form: 'relative', path: '' } });
    }
    expect(catalog.entries.map((entry) => (entry.declared.skills as string[]).length)).toEqual([
      4, 12, 1,
    ]);
  });

  test('costs little time to read', async () => {
    const bytes = await readFile(join(directory, 'anthropics-official.json'));
    const read = (): Catalog =>
      parseCatalog(decodeCatalog(bytes), { kind: 'CLAUDE', address: 'https://example.com/' });
    const costs = Array.from({ length: 10 }, () => {
      const before = process.cpuUsage();
      expect(read().entries).toHaveLength(286);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    // A few milliseconds; the best of ten, with room for a busy machine.
    expect(Math.min(...costs)).toBeLessThan(50);
  });
});
