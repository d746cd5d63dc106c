import type { Tree } from '@vscode/tree-sitter-wasm';

/** Deeper trees are not read: such a text is always asked about. */
const maxDepth = 2_000;

/** A node as plain data. `children` includes anonymous nodes (operators, keywords). */
export interface SyntaxNode {
  type: string;
  /** UTF-16 offsets into the text. */
  start: number;
  end: number;
  children: SyntaxNode[];
}

/** The parse result of a grammar. `broken`: parts of the text have syntax errors. */
export interface SyntaxTree {
  root: SyntaxNode;
  broken: boolean;
}

const none: SyntaxNode[] = [];

/** Copies a parse tree, so that it can be freed. Returns null if it is nested too deeply. */
export function copyTree(tree: Tree, typeNames: readonly string[]): SyntaxTree | null {
  const broken = tree.rootNode.hasError;
  const cursor = tree.walk();
  const read = (): SyntaxNode => ({
    type: typeNames[cursor.nodeTypeId] ?? 'ERROR',
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: none,
  });
  try {
    const root = read();
    const parents: SyntaxNode[] = [];
    let parent = root;
    let last = root;
    for (;;) {
      if (cursor.gotoFirstChild()) {
        if (parents.length > maxDepth) return null;
        parents.push(parent);
        parent = last;
      } else {
        while (!cursor.gotoNextSibling()) {
          const above = parents.pop();
          if (above === undefined || !cursor.gotoParent()) return { root, broken };
          parent = above;
        }
      }
      last = add(parent, read());
    }
  } finally {
    cursor.delete();
  }
}

function add(parent: SyntaxNode, child: SyntaxNode): SyntaxNode {
  if (parent.children === none) parent.children = [child];
  else parent.children.push(child);
  return child;
}
