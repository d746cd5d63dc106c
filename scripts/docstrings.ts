import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const folders = [
  'service',
  'main',
  'preload',
  'renderer-shell',
  'plugin-kit',
  'plugins',
  'scripts',
];
const commentFolders = [...folders, 'bench', 'e2e'];
/** Sources of plugins that the kit writes for others, and declarations for them. */
const notOurs = /^plugin-kit\/(?:templates|types)\//;
const isTest = /\.test\.tsx?$|\/testing\//;
const minShare = 0.9;
const maxNamed = 10;

/** The interfaces that a file exports, with how many of them have a docstring. */
export interface DocstringCount {
  /** Relative to the root of the project, with `/`. */
  file: string;
  exported: number;
  documented: number;
}

/** Counts the exported interfaces of a source text. */
export function countDocstrings(file: string, text: string): DocstringCount {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const interfaces = source.statements.filter(
    (one) =>
      ts.isInterfaceDeclaration(one) &&
      one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true,
  );
  const documented = interfaces.filter((one) => ts.getJSDocCommentsAndTags(one).length > 0);
  return { file, exported: interfaces.length, documented: documented.length };
}

/** Lines, from 1, of the comments that begin with "What": a comment names the thing or gives a reason. */
export function questionComments(text: string): number[] {
  const lines = text.split('\n');
  const isContinued = (index: number): boolean => /^\s*\/\//.test(lines[index - 1] ?? '');
  return lines.flatMap((line, index) => {
    const isBlock = /^\s*\/\*\*? What\b/.test(line);
    const isBlockBelow = /^\s*\/\*\*?$/.test(lines[index - 1] ?? '') && /^\s*\* What\b/.test(line);
    const isLine = /(?:^|\s)\/\/ What\b/.test(line) && !isContinued(index);
    return isBlock || isBlockBelow || isLine ? [index + 1] : [];
  });
}

/** Returns one line for each failure; none when all is well. */
export function docstringFailures(
  counts: readonly DocstringCount[],
  questions: readonly string[],
): string[] {
  const exported = sum(counts.map((one) => one.exported));
  const documented = sum(counts.map((one) => one.documented));
  const share = exported === 0 ? 1 : documented / exported;
  const failures = questions.map((at) => `${at}: a comment begins with "What": name the thing.`);
  if (share >= minShare) return failures;
  const missing = counts
    .map(({ file, ...count }) => ({ file, missing: count.exported - count.documented }))
    .filter((one) => one.missing > 0)
    .sort((a, b) => b.missing - a.missing || a.file.localeCompare(b.file));
  const percent = `${(share * 100).toFixed(1)} %`;
  return [
    ...failures,
    `${percent} of ${String(exported)} exported interfaces have a docstring; at least ${String(minShare * 100)} % have to. Most are missing in:`,
    ...missing.slice(0, maxNamed).map((one) => `  ${String(one.missing)} in ${one.file}`),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Fails when too few exported interfaces have a docstring, or a comment begins with "What". */
async function main(): Promise<void> {
  const counts: DocstringCount[] = [];
  const questions: string[] = [];
  for (const file of await sourcesIn(commentFolders)) {
    const text = await readFile(file, 'utf8');
    questions.push(...questionComments(text).map((line) => `${file}:${String(line)}`));
    const isCounted = folders.some((folder) => file.startsWith(`${folder}/`)) && !isTest.test(file);
    if (isCounted) counts.push(countDocstrings(file, text));
  }
  const failures = docstringFailures(counts, questions);
  for (const line of failures) process.stderr.write(`${line}\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

async function sourcesIn(roots: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    roots.map(async (root) => {
      const names = await readdir(root, { recursive: true });
      return names.map((name) => join(root, name).replaceAll('\\', '/'));
    }),
  );
  return lists
    .flat()
    .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !/\/node_modules\//.test(file))
    .filter((file) => !notOurs.test(file))
    .sort();
}

if (import.meta.main) await main();
