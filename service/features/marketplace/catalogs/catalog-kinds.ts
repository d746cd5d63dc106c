import { isObject } from '../../../core/is-object.ts';
import { SourceKind } from '../../../contract/store.ts';
import { type CatalogEntry, type EntryScope, type JsonObject } from './catalog.ts';
import { hostEntry } from './host-entry.ts';
import { offeredEntry, pluginEntry } from './plugin-entry.ts';

/** All that differs between the kinds of catalogs. Where a kind is named elsewhere, only its label is. */
export interface CatalogKind {
  /** Throws EntryProblem for an entry that has to be left out. */
  readEntry: (raw: JsonObject, scope: EntryScope) => CatalogEntry;
  /** Its entries are packages, whose ids are their own; else a plugin is called by source and name. */
  hasPackages: boolean;
  /** Where it lies in a git repository; null for one that is always the address of a document. */
  repositoryFile: string | null;
  /** Plain names as a source are looked for in its `pluginRoot`. */
  hasPluginRoot: boolean;
  /** A git address such as `../x` is one beside its repository. */
  resolvesAddresses: boolean;
  /** Whether an entry can be of this kind alone. */
  owns: (entry: JsonObject) => boolean;
  /** Whether a document may be of this kind, where its entries and its address leave that open. */
  fits: (document: JsonObject, entries: readonly JsonObject[], isEmpty: boolean) => boolean;
}

/** Where a repository or a document may be of several kinds: the file of the first, the fit of the last. */
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

/** The kinds whose catalogs lie in git repositories, with the file. */
export const repositoryKinds: readonly { kind: SourceKind; file: string }[] =
  SourceKind.options.flatMap((kind) => {
    const file = catalogKinds[kind].repositoryFile;
    return file === null ? [] : [{ kind, file }];
  });

/** Prefix of the ids of plugins from such a source. */
export const idPrefixOf = (kind: SourceKind, sourceId: string): string =>
  `${kind.toLowerCase()}.${sourceId}.`;
