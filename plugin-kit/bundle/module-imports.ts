import { type Node, parse } from 'acorn';
import { isBuiltin } from 'node:module';

/** A static or dynamic import of a literal name, with its position in the source. */
export interface ModuleImport {
  /** As it is written: `./a.mjs`, `papaparse`. */
  specifier: string;
  /** From 1. */
  line: number;
  column: number;
}

/** A script that cannot be read. Lines and columns count from 1. */
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

/** @throws ScriptError */
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

/** Every node of a syntax tree, outer ones first. */
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

/** Imports that are written as a literal text. @throws ScriptError */
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

/** Neither a file of the plugin nor a part of Node. */
export const isPackageName = (specifier: string): boolean =>
  !/^(?:\.{0,2}\/|[a-z]+:)/i.test(specifier) && !isBuiltin(specifier);
