import { join } from 'node:path';
import type { Language, Parser } from '@vscode/tree-sitter-wasm';
import { copyTree, type SyntaxTree } from './syntax-tree.ts';

/**
 * Processor time. Text that takes longer to parse counts as not understood; real lines take about 1
 * ms.
 */
const parseLimitMs = 250;

export type GrammarName = 'powershell';

/** Returns null if the text takes too long, is nested too deeply, or broke the parser. */
export type Parse = (text: string) => SyntaxTree | null;

/**
 * The shell grammars, as WebAssembly files in `directory`: `tree-sitter.wasm`,
 * `tree-sitter-powershell.wasm`. Each is loaded once, at its first use.
 */
export class Grammars {
  private readonly directory: string;
  private readonly loaded = new Map<GrammarName, Promise<Parse>>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** @throws Error if the files are missing */
  async load(name: GrammarName): Promise<Parse> {
    let parse = this.loaded.get(name);
    if (parse === undefined) {
      parse = this.read(name);
      this.loaded.set(name, parse);
      // A failed load may be retried.
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

/** A CommonJS module: Node exposes it as the default export, a bundle by its names. */
async function library(): Promise<Library> {
  const read: Library & { default?: Library } = await import('@vscode/tree-sitter-wasm');
  return read.default ?? read;
}

let runtime: Promise<void> | undefined;

/** Once per process, because the library keeps it in a module variable. */
function startRuntime(parser: typeof Parser, directory: string): Promise<void> {
  runtime ??= parser
    .init({ locateFile: (file: string) => join(directory, file) })
    .catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
  return runtime;
}

/** Processor time instead of wall time: a busy machine must not make text unreadable. */
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
      // Out of memory in the runtime: this parser must not be used again.
      parser = undefined;
      return null;
    }
  };
}
