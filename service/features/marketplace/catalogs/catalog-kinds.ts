import { isObject } from '../../../core/is-object.ts';
import { SourceKind } from '../../../contract/store.ts';
import { type CatalogEntry, type EntryScope, type JsonObject } from './catalog.ts';
import { hostEntry } from './host-entry.ts';
import { offeredEntry, pluginEntry } from './plugin-entry.ts';

/**
 * All differences between the kinds of catalogs. Other places that name a kind only have a label
 * for it.
 */
export interface CatalogKind {
  /** Reads one entry. @throws EntryProblem for an entry that must be left out */
  readEntry: (raw: JsonObject, scope: EntryScope) => CatalogEntry;
  /**
   * Its entries are packages with their own ids; otherwise the id of a plugin is made from source
   * and name.
   */
  hasPackages: boolean;
  /** Its path in a git repository; null for a kind that is always the address of a document. */
  repositoryFile: string | null;
  /** Plain names in `source` are relative to its `pluginRoot`. */
  hasPluginRoot: boolean;
  /** A git address such as `../x` is relative to the address of its repository. */
  resolvesAddresses: boolean;
  /** True if an entry can only be of this kind. */
  owns: (entry: JsonObject) => boolean;
  /** True if a document can be of this kind when its entries and its address do not decide. */
  fits: (document: JsonObject, entries: readonly JsonObject[], isEmpty: boolean) => boolean;
}

/**
 * In order of precedence: a repository uses the first file that exists, a document the last kind
 * that fits.
 */
export const catalogKinds: Readonly<Record<SourceKind, CatalogKind>> = {
  HOST: {
    readEntry: hostEntry,
    hasPackages: true,
    repositoryFile: null,
    hasPluginRoot: false,
    resolvesAddresses: false,
    owns: ({ id, package: file }) => typeof id === 'string' && typeof file === 'string',
    fits: ({ name }, _entries, isEmpty) => isEmpty && name === undefined,
  },
  CLAUDE: {
    readEntry: pluginEntry,
    hasPackages: false,
    repositoryFile: '.claude-plugin/marketplace.json',
    hasPluginRoot: true,
    resolvesAddresses: false,
    owns: () => false,
    fits: ({ name, owner }, entries, isEmpty) =>
      isObject(owner) ||
      entries.some(({ source }) => source !== undefined) ||
      (isEmpty && name !== undefined),
  },
  AGENTS: {
    readEntry: offeredEntry,
    hasPackages: false,
    repositoryFile: '.agents/plugins/marketplace.json',
    hasPluginRoot: false,
    resolvesAddresses: true,
    owns: () => false,
    fits: (document, entries) =>
      isObject(document['interface']) ||
      entries.some(
        ({ policy, source }) =>
          isObject(policy) || (isObject(source) && source['source'] === 'local'),
      ),
  },
};

/** The kinds of catalogs in git repositories, with their files. */
export const repositoryKinds: readonly { kind: SourceKind; file: string }[] =
  SourceKind.options.flatMap((kind) => {
    const file = catalogKinds[kind].repositoryFile;
    return file === null ? [] : [{ kind, file }];
  });

/** Prefix of the ids of plugins from such a source. */
export const idPrefixOf = (kind: SourceKind, sourceId: string): string =>
  `${kind.toLowerCase()}.${sourceId}.`;
