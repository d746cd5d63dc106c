import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** Share of exported interfaces that must have a docstring. */
const minShare = 0.9;

const sources = '{service,main,preload,renderer-shell,plugin-kit,scripts,e2e,bench}/**/*.{ts,tsx}';
const skipped = /\.test\.tsx?$|\.d\.ts$|\/(?:templates|node_modules|dist)\//;

export interface DocstringCount {
  documented: number;
  /** `file:line name` of each exported interface without a docstring. */
  undocumented: string[];
}

/** Counts the exported interfaces of one source file. */
export function countDocstrings(file: string, text: string): DocstringCount {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter(
    (statement) =>
      ts.isInterfaceDeclaration(statement) &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  ) as ts.InterfaceDeclaration[];
  const bare = exported.filter(
    (declaration) => ts.getJSDocCommentsAndTags(declaration).length === 0,
  );
  return {
    documented: exported.length - bare.length,
    undocumented: bare.map((declaration) => {
      const { line } = source.getLineAndCharacterOfPosition(declaration.getStart());
      return `${file}:${line + 1} ${declaration.name.text}`;
    }),
  };
}

/** Returns the exit code; lists the interfaces without a docstring when they are too many. */
export function checkDocstrings(): number {
  const counts = globSync(sources)
    .filter((file) => !skipped.test(file))
    .map((file) => countDocstrings(file, readFileSync(file, 'utf8')));
  const undocumented = counts.flatMap((count) => count.undocumented);
  const documented = counts.reduce((sum, count) => sum + count.documented, 0);
  const total = documented + undocumented.length;
  if (documented >= total * minShare) return 0;
  const summary = `${documented} of ${total} exported interfaces have a docstring; ${minShare * 100} % must.`;
  process.stderr.write([...undocumented, summary, ''].join('\n'));
  return 1;
}

if (import.meta.main) process.exitCode = checkDocstrings();
