import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realInputs } from '../real-inputs.ts';

/** The content of a `marketplace.json`. */
export interface CatalogDocument {
  name: string;
  plugins: { name: string; source: unknown; [field: string]: unknown }[];
  [field: string]: unknown;
}

const subjects = ['Notes', 'Charts', 'Reviews', 'Releases', 'Schemas', 'Tables', 'Diagrams'];
const verbs = ['Drafts', 'Checks', 'Sorts', 'Explains', 'Compares', 'Translates', 'Measures'];
const categories = ['development', 'productivity', 'security', 'database', 'design', 'testing'];
const pick = (list: readonly string[], n: number): string => list[n % list.length] ?? '';
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Varies in length, some longer than a card shows, some with non-ASCII characters. */
function description(n: number): string {
  const first = `${pick(verbs, n)} ${pick(subjects, n * 3).toLowerCase()} for team ${n}`;
  const more = ` – with an eye for ${pick(subjects, n + 2).toLowerCase()}, Größe “${n}” and 表 ${n}.`;
  return `${first}.${more.repeat(n % 9)}`;
}

/** Forty hexadecimal digits, like a commit. */
const sha = (n: number): string =>
  times(5, (part) => ((n + 1) * (part + 7) * 2_654_435_761).toString(16).slice(-8))
    .join('')
    .padEnd(40, '0')
    .slice(0, 40);

const address = (n: number): string => `https://github.com/example-${n % 40}/plugins-${n}.git`;

/** All plugins are folders of the repository; one has neither version nor author. */
const tools: CatalogDocument = {
  $schema: 'https://example.com/marketplace.schema.json',
  name: 'acme-tools',
  version: '1.0.0',
  description: 'Tools that come with the acme editor',
  owner: { name: 'Acme', email: 'tools@acme.example' },
  plugins: times(13, (n) => ({
    name: `tool-${n}`,
    description: description(n),
    source: `./plugins/tool-${n}`,
    category: pick(categories, n),
    ...(n === 7 ? {} : { version: `1.${n}.0`, author: { name: 'Acme', email: 'a@acme.example' } }),
  })),
};

/**
 * A large directory with plugins in other repositories, in folders of them, and in its own; most
 * without a version.
 */
const directory: CatalogDocument = {
  $schema: 'https://example.com/marketplace.schema.json',
  name: 'example-directory',
  description: 'Plugins of many makers',
  owner: { name: 'Example Directory', email: 'directory@example.com' },
  renames: { 'old.name': 'entry-1', forge: 'entry-2', workbench: 'entry-3', ledger: 'entry-4' },
  plugins: times(286, (n) => ({
    name: `entry-${n}`,
    description: description(n),
    source: directorySource(n),
    ...(n % 20 === 19 ? {} : { category: pick(categories, n) }),
    ...(n % 3 === 2 ? {} : { author: directoryAuthor(n) }),
    ...(n % 18 === 0 ? {} : { homepage: `https://makers.example.com/${n}` }),
    ...(n % 20 === 7 ? { version: `0.${n}.0-beta.1` } : {}),
    ...(n % 96 === 9 ? { displayName: `Entry № ${n}`, tags: ['made-by-others'] } : {}),
    ...(n % 24 === 4 ? { strict: false, ...languageServer(n) } : {}),
    ...(n % 72 === 16 ? { strict: false, skills: [`./skills/s${n}`] } : {}),
    ...(n === 20 ? { keywords: ['notes', 'charts'] } : {}),
  })),
};

function directorySource(n: number): unknown {
  const [url, commit] = [address(n), sha(n)];
  if (n % 6 === 4) return `./plugins/entry-${n}`;
  if (n === 2) return { source: 'git-subdir', url, path: 'plugins/two', sha: commit };
  if (n % 10 === 0)
    return { source: 'git-subdir', url, path: `plugins/p${n}`, ref: 'main', sha: commit };
  if (n % 10 === 5)
    return { source: 'git-subdir', url, path: `./p/${n}`, ref: `v1.${n}.5`, sha: commit };
  // The format's schema has no path here, but real files do.
  if (n % 70 === 1) return { source: 'url', url, path: `tools/t${n}`, sha: commit };
  return { source: 'url', url, sha: commit };
}

function directoryAuthor(n: number): object {
  const name = `Example Makers ${n % 40}`;
  if (n % 5 === 0) return { name, email: `makers${n}@example.com` };
  return n % 27 === 1 ? { name, url: `https://makers.example.com/${n % 40}` } : { name };
}

function languageServer(n: number): object {
  const server = { command: `acme-ls-${n}`, args: ['--stdio'], extensionToLanguage: { '.x': 'x' } };
  return { lspServers: { [`ls-${n}`]: server } };
}

/** Three plugins share the root of the repository and differ in their skills. */
const skills: CatalogDocument = {
  name: 'example-skills',
  owner: { name: 'Example Skills', email: 'skills@example.com' },
  metadata: { description: 'Skills by example', version: '1.0.0' },
  plugins: [4, 12, 1].map((count, n) => ({
    name: `skills-${n}`,
    description: description(n + 3),
    source: './',
    strict: false,
    skills: times(count, (skill) => `./skills/s${n}-${skill}`),
  })),
};

/** In the agents format, description, version and author are in each plugin's own manifest. */
const agents: CatalogDocument = {
  name: 'example-agents',
  interface: { displayName: 'Agents by example' },
  plugins: times(180, (n) => ({
    name: n % 5 === 0 ? `entry-${n}` : `agent-${n}`,
    source: { source: 'local', path: `./plugins/agent-${n}` },
    policy: {
      installation: 'AVAILABLE',
      authentication: n % 3 === 0 ? 'ON_USE' : 'ON_INSTALL',
      ...(n % 12 === 0 ? { products: ['EDITOR'] } : {}),
    },
    category: pick(['Productivity', 'Coding', 'Research'], n),
  })),
};

/** All fields are set; some names also occur in another catalog. */
const workflows: CatalogDocument = {
  name: 'example-workflows',
  owner: { name: 'Example Works', email: 'w@example.com', url: 'https://works.example.com' },
  metadata: { description: 'Workflows by example', version: '1.7.1' },
  plugins: times(92, (n) => ({
    name: n < 11 ? `tool-${n}` : `workflow-${n}`,
    source:
      n === 50
        ? { source: 'git-subdir', url: address(n), path: 'plugins/fifty' }
        : `./plugins/workflow-${n}`,
    description: description(n % 4),
    version: n % 10 === 3 ? `0.0.20260210${n}` : `1.${n}.2`,
    author: { name: 'Example Works', ...(n % 7 === 0 ? { url: 'https://works.example.com' } : {}) },
    ...(n % 23 === 0 ? {} : { homepage: 'https://works.example.com' }),
    license: 'MIT',
    category: pick(categories, n),
    ...(n % 20 === 0 ? { keywords: ['flow', `step-${n}`] } : {}),
  })),
};

/** Catalogs in all common formats, written for this project, by file name. */
export const sampleCatalogs: Record<string, CatalogDocument> = {
  'acme-tools': tools,
  'example-agents': agents,
  'example-directory': directory,
  'example-skills': skills,
  'example-workflows': workflows,
};

/** A set of catalogs. */
export interface CatalogSet {
  name: string;
  /** The catalogs as JSON, by file name. */
  texts: Record<string, string>;
}

/** Sets of catalogs that the same tests apply to: those of the project and real ones. */
export function catalogSets(): CatalogSet[] {
  const own = Object.fromEntries(
    Object.entries(sampleCatalogs).map(([name, document]) => [name, JSON.stringify(document)]),
  );
  const folder = realInputs('marketplaces');
  return [
    { name: 'catalogues of the project', texts: own },
    { name: 'real inputs', texts: folder === null ? own : textsIn(folder) },
  ];
}

function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((file) => [file.slice(0, -'.json'.length), readFileSync(join(folder, file), 'utf8')]),
  );
}
