import { posix } from 'node:path';
import type { FileTree, TreeEntry } from './file-tree.ts';

const codeExtension = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|ps1|psm1|lua)$/i;
/** A bundled package, whose own files name what is loaded of it. */
const dependency = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+$/;
/** If more files have a name, only the nearest ones match it. */
const maxBearers = 50;
/** Comparisons of text paths with plugin paths; honest plugins need far fewer. */
const maxComparisons = 200_000;
const maxSearchedLength = 64 * 1024 ** 2;
const wordForm = /[\p{L}\p{N}_@./\\-]{1,200}/gu;

interface Mentionable {
  entry: TreeEntry;
  /** Path as code imports it: without its extension, `lib` for `lib/index.js`. */
  module: string;
}

/**
 * Finds the files of a plugin that a text mentions, so that files loaded by a script count like the
 * script: by name (`x.sh`), by path (`./lib/x`) and as a module (`core.rules`). It may find too
 * many, and finds everything if the search would take too long.
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

  /** `folder` is the folder of the text, relative to the plugin. */
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

  /** The total does not depend on the order of the texts, so neither does the result. */
  #isTooMuch(): boolean {
    return this.#comparisons > maxComparisons || this.#searchedLength > maxSearchedLength;
  }
}

/**
 * Variants of a word: `a\b` and the module `a.b` are paths, too, and the last word of a sentence
 * ends with a full stop.
 */
function spellings(word: string): Set<string> {
  const path = word.replaceAll('\\', '/').replace(/[.\-/]+$/, '');
  const steps = path.replace(/^(?:\.{0,2}\/)+|^[.@-]+/, '');
  return new Set([path, steps, steps.replaceAll('.', '/')].filter((one) => one !== ''));
}

/** With `anywhere`, the file name with its extension is enough. */
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

/** Also true if one path starts further up than the other. */
function isSamePath(own: string, mentioned: string): boolean {
  if (own === mentioned || own.endsWith(`node_modules/${mentioned}`)) return true;
  return (
    mentioned.includes('/') && (own.endsWith(`/${mentioned}`) || mentioned.endsWith(`/${own}`))
  );
}

function moduleOf(path: string): string {
  return path.replace(codeExtension, '').replace(/\/(?:index|__init__|__main__|mod)$/, '');
}
