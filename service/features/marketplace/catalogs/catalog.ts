import type { PluginManifest } from '../../../contract/manifest.ts';
import type { SourceKind } from '../../../contract/store.ts';
import { type HostText, type Message, textOf } from '../../../messages/index.ts';

/** The location of an entry's files. `reason` is a sentence for people. */
export type EntrySource =
  /** A folder of the repository with the catalog: `plugins/x`; empty for its root. */
  | { form: 'relative'; path: string }
  /**
   * An `https:`, `http:` or `file:` address; `path` is inside that repository, empty for its root;
   * `sha` has 40 hex digits.
   */
  | { form: 'git'; url: string; path: string; ref: string | null; sha: string | null }
  /**
   * A `.plugin` package with an absolute address, a hash of 64 hex digits, and its size in bytes.
   */
  | {
      form: 'package';
      url: string;
      sha256: string | null;
      sizeBytes: number | null;
      /** Base64 of the Ed25519 signature. */
      signature?: string;
    }
  /** Listed only; it cannot be installed. */
  | { form: 'none'; reason: Message };

/** Fields of an entry that declare parts of the plugin. */
export const componentFields = ['skills', 'commands', 'agents', 'hooks', 'mcpServers'] as const;
export type ComponentField = (typeof componentFields)[number];

/** An entry of a catalog of any kind. */
export interface CatalogEntry {
  /** Original name with any characters; in a HOST catalog the id. `title` is for display. */
  name: string;
  /**
   * A safe path segment, `[a-z0-9][a-z0-9_-]*`, at most 60 characters; unique in CLAUDE and AGENTS
   * catalogs.
   */
  slug: string;
  /** One line, like the other texts, without control and bidirectional characters. */
  title: string;
  description: string;
  /** Valid semantic version; null is common. */
  version: string | null;
  /** Empty if unknown. */
  author: string;
  /** Original text; empty if unknown. */
  category: string;
  keywords: string[];
  /** An http or https address. */
  homepage: string | null;
  source: EntrySource;
  /** False: `declared` replaces the manifest, which the plugin may lack. */
  strict: boolean;
  /** Unvalidated original values: paths, lists of paths, or inline definitions. */
  declared: Partial<Record<ComponentField, unknown>>;
  /** Null except in HOST catalogs. */
  manifest: PluginManifest | null;
  /** The complete entry, unvalidated. */
  raw: Record<string, unknown>;
}

/** An entry that was left out or changed; `reason` is a clause that continues `entry`. */
export interface CatalogWarning {
  entry: HostText;
  reason: Message;
}

/** A parsed catalog. */
export interface Catalog {
  kind: SourceKind;
  name: string | null;
  description: string | null;
  entries: CatalogEntry[];
  /** At most 1,000. An empty `entry` means the whole catalog. */
  warnings: CatalogWarning[];
  /**
   * New name by old name; null if the plugin was removed. Original names: use `nameSlug` on them.
   * Renames may be cyclic. The object has no prototype.
   */
  renames: Record<string, string | null>;
}

/** The context in which a catalog is parsed. */
export interface CatalogContext {
  kind: SourceKind;
  /** URL of the catalog, or of its repository. */
  address: string;
  /** True for the built-in catalog, which may list official plugins. */
  trusted?: boolean;
  /** Resolves a git address such as `../x`; null or absent: such entries cannot be installed. */
  resolveAgainst?: (relative: string) => string | null;
}

/** The reason why an entry is left out, as a clause that continues its name: `has no source`. */
export class EntryProblem extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(textOf(reason));
    this.reason = reason;
  }
}

/** State shared by the parsers of one entry. */
export interface EntryScope {
  context: CatalogContext;
  /** Folder for plain names in `source`; null if there is none. */
  pluginRoot: string | null;
  /** Adds a warning to an entry that is kept, as a clause that continues its name. */
  warn: (reason: Message) => void;
}

/** An object of unvalidated JSON. */
export type JsonObject = Record<string, unknown>;
