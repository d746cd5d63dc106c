import { join } from 'node:path';
import type { Language, Parser } from '@vscode/tree-sitter-wasm';
import { copyTree, type SyntaxTree } from './syntax-tree.ts';

/** Of processor time: a text that takes longer to parse is not understood. Real lines take one. */
const parseLimitMs = 250;

export type GrammarName = 'powershell';

/** Null: the text takes too long, is nested too deep, or broke the parser. */
export type Parse = (text: string) => SyntaxTree | null;

/**
 * The grammars of the shells, as WebAssembly in `directory`: `tree-sitter.wasm`,
 * `tree-sitter-powershell.wasm`. Each is loaded at its first use, once.
 */
export class Grammars {
  private readonly directory: string;
  private readonly loaded = new Map<GrammarName, Promise<Parse>>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** @throws Error when the files are not there */
  async load(name: GrammarName): Promise<Parse> {
    let parse = this.loaded.get(name);
    if (parse === undefined) {
      parse = this.read(name);
      this.loaded.set(name, parse);
      // What failed may be tried again.
      parse.catch(() => this.loaded.delete(name));
    }
    return parse;
  }

  private async read(name: GrammarName): Promise<Parse> {
    const { Parser, Language } = await library();
    await startRuntime(Parser, this.directory);
    const language = await Language.load(join(this.directory, `tree-sitter-${name}.wasm`));
    return parserOf(Parser, language);
  }
}

interface Library {
  Parser: typeof Parser;
  Language: typeof Language;
}

/** A CommonJS module: Node hands it over as the default, a bundle by its names. */
async function library(): Promise<Library> {
  const read: Library & { default?: Library } = await import('@vscode/tree-sitter-wasm');
  return read.default ?? read;
}

let runtime: Promise<void> | undefined;

/** One for the process: the library keeps it in a variable of its own. */
function startRuntime(parser: typeof Parser, directory: string): Promise<void> {
  runtime ??= parser
    .init({ locateFile: (file: string) => join(directory, file) })
    .catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
  return runtime;
}

/** A machine that is busy with other things does not make a text hard to read. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}

function parserOf(make: typeof Parser, language: Language): Parse {
  const typeNames = Array.from({ length: language.nodeTypeCount }, (_, id) =>
    language.nodeTypeForId(id),
  ).map((name) => name ?? 'ERROR');
  let parser: Parser | undefined;
  return (text) => {
    try {
      parser ??= new make().setLanguage(language);
      const endAt = processorMs() + parseLimitMs;
      const options = { progressCallback: () => processorMs() > endAt };
      const tree = parser.parse(text, null, options);
      if (tree === null) {
        parser.reset();
        return null;
      }
      try {
        return copyTree(tree, typeNames);
      } finally {
        tree.delete();
      }
    } catch {
      // Out of memory in the runtime: this parser cannot be trusted any more.
      parser = undefined;
      return null;
    }
  };
}
