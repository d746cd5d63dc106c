import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { propertyNames } from '../../main/properties.ts';
import { usage } from '../../main/usage.ts';
import { builds } from '../../service/contract/index.ts';
import { docPages, root } from './pages.ts';

const pages = docPages();
const textOf = (file: string): string => pages.find((page) => page.file === file)?.text ?? '';

const linksOf = (file: string): string[] =>
  [...textOf(file).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );

describe('the index of the documents', () => {
  it('leads to every page', () => {
    const listed = new Set(['docs/README.md', ...linksOf('docs/README.md')]);
    const readmesOfFolders = ['main/testing/stand-in/README.md'];
    const missing = pages
      .map(({ file }) => file)
      .filter((file) => !listed.has(file) && !readmesOfFolders.includes(file));
    expect(missing.toSorted()).toEqual(['README.md', 'SECURITY.md']);
    expect(linksOf('README.md')).toEqual(expect.arrayContaining(['docs/README.md', 'SECURITY.md']));
  });

  it('leads to a first page for each of the four readers, and so does the README', () => {
    const first = [
      'docs/users.md',
      'docs/plugin-authors.md',
      'docs/administrators.md',
      'CONTRIBUTING.md',
    ];
    expect(linksOf('docs/README.md')).toEqual(expect.arrayContaining(first));
    expect(linksOf('README.md')).toEqual(expect.arrayContaining(first));
  });
});

describe('a page', () => {
  it('shows an example before its first table', () => {
    const others = ['README.md', 'decisions.md', 'glossary.md', 'users.md'];
    const late = pages
      .map(({ file, text }) => ({ file, first: /^ *```|^\|/m.exec(text)?.[0] }))
      .filter(({ file }) => file.startsWith('docs/') && !others.includes(file.slice(5)))
      .filter(({ first }) => first?.endsWith('```') !== true);
    expect(late).toEqual([]);
  });

  it('that people see first is short: at most 600 words in the README', () => {
    expect(textOf('README.md').split(/\s+/).length).toBeLessThanOrEqual(600);
  });
});

describe('the guide for administrators', () => {
  const guide = textOf('docs/administrators.md');

  it('has every property, and every flag that --help lists', () => {
    expect(propertyNames.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
    const [general = ''] = usage.split('On the desktop:');
    const flags = [...general.matchAll(/ (--[a-z-]+)/g)].map(([, flag = '']) => flag);
    expect(flags.filter((flag) => !guide.includes(`\`${flag}`) && flag !== '--host')).toEqual([]);
    expect(flags.length).toBeGreaterThan(12);
  });
});

describe('the pages about packages and updates', () => {
  const kinds = Object.keys(builds).filter((kind) => kind !== 'dev');

  it.each(['docs/packages.md', 'docs/updates.md'])('name every kind of package: %s', (file) => {
    const isNamed = (kind: string): boolean =>
      new RegExp(`(?:\`|-- )${kind.replace('lite-deb', 'lite')}\\b`).test(textOf(file));
    expect(kinds.filter((kind) => !isNamed(kind))).toEqual([]);
    expect(kinds.length).toBeGreaterThan(6);
  });
});

describe('the glossary', () => {
  const terms = [...textOf('docs/glossary.md').matchAll(/^\| \*\*([^*]+)\*\* /gm)].map(
    ([, term = '']) => term,
  );

  it('has at most 40 terms, each once and in order', () => {
    expect(terms.length).toBeGreaterThan(20);
    expect(terms.length).toBeLessThanOrEqual(40);
    const order = [...new Set(terms)].toSorted((one, other) =>
      one.toLowerCase() < other.toLowerCase() ? -1 : 1,
    );
    expect(terms).toEqual(order);
  });
});

describe('the files that pages name', () => {
  const folders =
    'service|renderer-shell|scripts|e2e|main|preload|plugins|bench|docs|packaging|plugin-kit';
  const inBackticks = new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g');
  /** Files of the plugin's package that the host serves to plugin pages. */
  const ofPackages = ['plugin-kit/page.css', 'plugin-kit/page.js', 'plugin-kit/worker.mjs'];

  it('are there', () => {
    const named = pages.flatMap(({ file, text }) =>
      [...text.matchAll(inBackticks)].map(([, path = '']) => ({ file, path })),
    );
    const missing = named.filter(
      ({ path }) => !ofPackages.includes(path) && !existsSync(join(root, path)),
    );
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(60);
  });

  it('are there under this name, where a page names a source file without its folder', () => {
    const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
    const files = stdout.split('\n');
    const named = pages
      .filter(({ file }) => file !== 'docs/plugin-authors.md')
      .flatMap(({ file, text }) =>
        [...text.matchAll(/`([\w./-]+\.(?:ts|tsx))`/g)].map(([, name = '']) => ({ file, name })),
      );
    const missing = named.filter(
      ({ name }) => !files.some((path) => `/${path}`.endsWith(`/${name}`)),
    );
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(60);
  });
});

describe('the page about dependencies', () => {
  it('names every package that package.json names, and no other', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const needed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const named = [...textOf('docs/dependencies.md').matchAll(/^\| (.+?) +\|/gm)]
      .flatMap(([, cell = '']) => cell.split(', '))
      .filter((name) => name !== 'Package' && !/^-+$/.test(name));
    const isNamed = (name: string): boolean =>
      named.includes(name) || named.includes(`${name.split('/')[0]}/*`);
    expect(needed.filter((name) => !isNamed(name))).toEqual([]);
    const isNeeded = (name: string): boolean =>
      needed.some((one) => one === name || (name.endsWith('/*') && isNamed(one)));
    expect(named.filter((name) => !isNeeded(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });
});

describe('the words of the pages', () => {
  it.each([
    ['workflow', /(?<!React )\bflows?\b(?! nodes?\b)/gi],
    ['setup', /\bset-ups?\b/gi],
  ])('call one thing by one name: %s', (_, other) => {
    const found = pages.flatMap(({ file, text }) => {
      const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
      return [...prose.matchAll(other)].map(([word]) => `${file}: ${word}`);
    });
    expect(found).toEqual([]);
  });
});

describe('the labels of the shell that pages name', () => {
  /** Returns the singular and plural forms of a text with a count. */
  const picturesIn = (text: string): string[] =>
    /\{count, plural/.test(text) &&
    !/\{(?!count\b)\w+\}/.test(text.replaceAll(/(?:one|other|=0) \{/g, ''))
      ? [1, 2].map((count) => String(new IntlMessageFormat(text, 'en').format({ count })))
      : [text];
  const valuesOf = (node: unknown): string[] =>
    typeof node === 'string' ? picturesIn(node) : Object.values(node as object).flatMap(valuesOf);
  const labels = new Set(
    valuesOf(
      (
        JSON.parse(readFileSync(join(root, 'service/messages/en.json'), 'utf8')) as {
          shell: object;
        }
      ).shell,
    ),
  );

  it('are in its texts: all in the guide for users, and every path such as Settings > Models', () => {
    const named = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\*\*([^*\n]+)\*\*/g)]
        .map(([, label = '']) => label)
        .filter((label) => label.includes(' > ') || file === 'docs/users.md')
        .flatMap((label) => label.split(' > '))
        .map((label) => ({ file, label })),
    );
    const unknown = named.filter(({ label }) => !labels.has(label));
    expect(unknown).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });
});
