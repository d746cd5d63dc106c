import ts from 'typescript';

const testFunctions = new Set(['it', 'test', 'describe']);
const neverRun = new Set(['skip', 'todo', 'fails', 'skipIf', 'runIf']);

/**
 * Returns the names of tests and groups in a file as written in its source. Skips tests that are
 * disabled, conditional or not written yet.
 */
export function testNames(fileName: string, source: string): string[] {
  const kind = fileName.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, false, kind);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const callee = ts.isCallExpression(node) ? testCallee(node.expression) : undefined;
    if (callee === 'skipped') return;
    if (callee === 'test' && ts.isCallExpression(node)) names.push(nameOf(node.arguments[0]));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/**
 * Classifies a call: `it`, `it.each(rows)`, `describe.concurrent` and so on, or undefined for no
 * test.
 */
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
