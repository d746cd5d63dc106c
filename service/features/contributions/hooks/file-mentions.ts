import { posix } from 'node:path';
import type { FileTree, TreeEntry } from './file-tree.ts';

const codeExtension = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|ps1|psm1|lua)$/i;
/** A package that came with the plugin; which of its files are loaded is said in itself. */
const dependency = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+$/;
/** Of names that more files have, only the nearest ones are meant. */
const maxBearers = 50;
/** Of a path in a text with one of the plugin; what all texts of an honest plugin need is far less. */
const maxComparisons = 200_000;
const maxSearchedLength = 64 * 1024 ** 2;
const wordForm = /[\p{L}\p{N}_@./\\-]{1,200}/gu;

interface Mentionable {
  entry: TreeEntry;
  /** The path as code imports it: without its ending, `lib` for `lib/index.js`. */
  module: string;
}

/**
 * Finds the files of a plugin that a text of it speaks of, so that what a script loads counts like the
 * script: by name (`x.sh`), by path (`./lib/x`) and as a module (`core.rules`). It errs on the side of
 * finding too many, and finds everything where looking further would take too long.
 */
export class FileMentions {
  readonly #tree: FileTree;
  readonly #named = new Map<string, Mentionable[]>();
  #comparisons = 0;
  #searchedLength = 0;

  constructor(tree: FileTree) {
    this.#tree = tree;
    for (const entry of tree.entries) {
      if (entry.kind === 'folder' && !dependency.test(entry.path)) continue;
      const module = moduleOf(entry.path);
      const names = new Set([posix.basename(entry.path), posix.basename(module)]);
      for (const name of names) {
        const existing = this.#named.get(name.toLowerCase());
        if (existing === undefined) this.#named.set(name.toLowerCase(), [{ entry, module }]);
        else existing.push({ entry, module });
      }
    }
  }

  /** `folder` is where the text lies, relative to the plugin. */
  in(text: string, folder: string): Iterable<TreeEntry> {
    this.#searchedLength += text.length;
    if (this.#isTooMuch()) return this.#tree.entries;
    const found = new Set<TreeEntry>();
    for (const word of new Set(text.match(wordForm))) {
      for (const spelled of spellings(word)) {
        const bearers = this.#named.get(posix.basename(spelled).toLowerCase()) ?? [];
        this.#comparisons += bearers.length;
        if (this.#isTooMuch()) return this.#tree.entries;
        const anywhere = bearers.length <= maxBearers;
        for (const one of bearers) {
          if (isMeant(spelled, one, { folder, anywhere })) found.add(one.entry);
        }
      }
    }
    return found;
  }

  /** In whatever order texts come, the sum is the same, and so is what is found in the end. */
  #isTooMuch(): boolean {
    return this.#comparisons > maxComparisons || this.#searchedLength > maxSearchedLength;
  }
}

/** `a\b` and the module `a.b` are paths too; a sentence's last word has a full stop. */
function spellings(word: string): Set<string> {
  const path = word.replaceAll('\\', '/').replace(/[.\-/]+$/, '');
  const steps = path.replace(/^(?:\.{0,2}\/)+|^[.@-]+/, '');
  return new Set([path, steps, steps.replaceAll('.', '/')].filter((one) => one !== ''));
}

/** `anywhere`: the name of a file with its ending is enough. */
function isMeant(
  spelled: string,
  { entry, module }: Mentionable,
  { folder, anywhere }: { folder: string; anywhere: boolean },
): boolean {
  const mentioned = spelled.replace(/^(?:\.{0,2}\/)+/, '').toLowerCase();
  const name = posix.basename(entry.path).toLowerCase();
  const isFileName = name.includes('.') && posix.basename(mentioned) === name;
  if (isFileName && anywhere) return true;
  if (!isFileName && module === entry.path && name.includes('.')) return false;
  const own = (isFileName ? entry.path : module).toLowerCase();
  return own === posix.join(folder, mentioned).toLowerCase() || isSamePath(own, mentioned);
}

/** Where one of them begins further up than the other, too. */
function isSamePath(own: string, mentioned: string): boolean {
  if (own === mentioned || own.endsWith(`node_modules/${mentioned}`)) return true;
  return (
    mentioned.includes('/') && (own.endsWith(`/${mentioned}`) || mentioned.endsWith(`/${own}`))
  );
}

function moduleOf(path: string): string {
  return path.replace(codeExtension, '').replace(/\/(?:index|__init__|__main__|mod)$/, '');
}
