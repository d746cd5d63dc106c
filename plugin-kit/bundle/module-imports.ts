import { type Node, parse } from 'acorn';
import { isBuiltin } from 'node:module';

/** An import in a module. */
export interface ModuleImport {
  /** As written: `./a.mjs`, `papaparse`. */
  specifier: string;
  /** Counts from 1. */
  line: number;
  column: number;
}

/** A script with a syntax error. Lines and columns count from 1. */
export class ScriptError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

type Syntax = Node & Record<string, unknown>;

/**
 * Parses a script.
 * @throws ScriptError on a syntax error
 */
export function parseScript(text: string, sourceType: 'module' | 'script'): Syntax {
  try {
    const options = { ecmaVersion: 'latest', sourceType, locations: true } as const;
    return parse(text, { ...options, allowHashBang: true }) as Node as Syntax;
  } catch (error) {
    const { loc, message } = error as SyntaxError & { loc?: { line: number; column: number } };
    throw new ScriptError(
      message.replace(/ \(\d+:\d+\)$/, ''),
      loc?.line ?? 1,
      (loc?.column ?? 0) + 1,
    );
  }
}

/** Iterates over all nodes of a syntax tree, parents first. */
export function* nodesOf(root: Syntax): Generator<Syntax> {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    const inner = Object.values(node).flat().filter(isNode);
    open.push(...inner.reverse());
  }
}

function isNode(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/**
 * Returns the imports with a literal specifier.
 * @throws ScriptError on a syntax error
 */
export function moduleImports(text: string): ModuleImport[] {
  const found: ModuleImport[] = [];
  for (const node of nodesOf(parseScript(text, 'module'))) {
    const source = importedBy(node);
    if (typeof source?.['value'] !== 'string') continue;
    const start = source.loc?.start;
    found.push({
      specifier: source['value'],
      line: start?.line ?? 1,
      column: (start?.column ?? 0) + 1,
    });
  }
  return found;
}

const importing = /^(?:Import|ExportNamed|ExportAll)(?:Declaration|Expression)$/;

function importedBy(node: Syntax): Syntax | null {
  return importing.test(node.type) && isNode(node['source']) ? node['source'] : null;
}

/** Returns true if the specifier names an npm package, not a file or a module of Node. */
export const isPackageName = (specifier: string): boolean =>
  !/^(?:\.{0,2}\/|[a-z]+:)/i.test(specifier) && !isBuiltin(specifier);
