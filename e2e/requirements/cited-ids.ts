import ts from 'typescript';

const testFunctions = new Set(['it', 'test', 'describe']);
const neverRun = new Set(['skip', 'todo', 'fails', 'skipIf', 'runIf']);
const bracket = /\[\s*([A-Z]+-\d+(?:\s*,\s*[A-Z]+-\d+)*)\s*\]/g;

/**
 * The ids that a test file cites as `[AREA-NN]` or `[AREA-NN, AREA-NN]` in the names of its tests.
 * Comments and other strings are no citations, nor are tests that are skipped or still to be written.
 */
export function citedIds(fileName: string, source: string): string[] {
  const kind = fileName.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, false, kind);
  const cited = new Set<string>();
  const visit = (node: ts.Node): void => {
    const callee = ts.isCallExpression(node) ? testCallee(node.expression) : undefined;
    if (callee === 'skipped') return;
    if (callee === 'test' && ts.isCallExpression(node)) {
      for (const id of idsIn(nameOf(node.arguments[0]))) cited.add(id);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...cited];
}

/** What is called: `it`, `it.each(rows)`, `describe.concurrent`, … or something that is no test. */
function testCallee(callee: ts.Expression): 'test' | 'skipped' | undefined {
  let skipped = false;
  let rest = callee;
  while (!ts.isIdentifier(rest)) {
    if (ts.isPropertyAccessExpression(rest)) {
      skipped ||= neverRun.has(rest.name.text);
      rest = rest.expression;
    } else if (ts.isCallExpression(rest)) rest = rest.expression;
    else if (ts.isTaggedTemplateExpression(rest)) rest = rest.tag;
    else return undefined;
  }
  if (!testFunctions.has(rest.text)) return undefined;
  return skipped ? 'skipped' : 'test';
}

function nameOf(argument: ts.Expression | undefined): string {
  if (argument === undefined) return '';
  if (ts.isStringLiteralLike(argument)) return argument.text;
  if (!ts.isTemplateExpression(argument)) return '';
  const spans = argument.templateSpans.map((span) => span.literal.text);
  return [argument.head.text, ...spans].join('…');
}

function idsIn(name: string): string[] {
  return [...name.matchAll(bracket)].flatMap((found) => found[1]?.split(/\s*,\s*/) ?? []);
}
