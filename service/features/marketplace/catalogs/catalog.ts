import type { PluginManifest } from '../../../contract/manifest.ts';
import type { SourceKind } from '../../../contract/store.ts';
import { type HostText, type Message, textOf } from '../../../messages/index.ts';

/** Where a plugin comes from. A `reason` is a sentence for a person. */
export type EntrySource =
  /** Inside the repository that holds the catalogue: `plugins/x`; empty is its root. */
  | { form: 'relative'; path: string }
  /** `https:`, `http:` or `file:`; `path` inside that repository, empty is its root; `sha` 40 hex. */
  | { form: 'git'; url: string; path: string; ref: string | null; sha: string | null }
  /** A `.plugin` package: absolute address, 64 hex, bytes. */
  | {
      form: 'package';
      url: string;
      sha256: string | null;
      sizeBytes: number | null;
      /** Base64. */
      signature?: string;
    }
  /** Listed, but it cannot be installed. */
  | { form: 'none'; reason: Message };

export const componentFields = ['skills', 'commands', 'agents', 'hooks', 'mcpServers'] as const;
export type ComponentField = (typeof componentFields)[number];

export interface CatalogEntry {
  /** As written, any characters; in a HOST catalogue the id. `title` is the one to show. */
  name: string;
  /** One safe part of a path, `[a-z0-9][a-z0-9_-]*`, at most 60; unique in CLAUDE and AGENTS catalogues. */
  slug: string;
  /** This and the other texts are free of control and direction-changing characters, in one line. */
  title: string;
  description: string;
  /** Only what semver can order; null is common. */
  version: string | null;
  /** Empty when unknown. */
  author: string;
  /** As written; empty when unknown. */
  category: string;
  keywords: string[];
  /** An http or https address. */
  homepage: string | null;
  source: EntrySource;
  /** False: what is declared here is all there is, and the plugin needs no manifest. */
  strict: boolean;
  /** Unchecked, as written: paths, lists of them, or the things themselves. */
  declared: Partial<Record<ComponentField, unknown>>;
  /** In HOST catalogues only. */
  manifest: PluginManifest | null;
  /** The whole entry, unchecked. */
  raw: Record<string, unknown>;
}

/** An entry that was skipped or changed, and why, as a clause that goes on from it. */
export interface CatalogWarning {
  entry: HostText;
  reason: Message;
}

export interface Catalog {
  kind: SourceKind;
  name: string | null;
  description: string | null;
  entries: CatalogEntry[];
  /** At most 1 000. An empty `entry` is about the catalogue as a whole. */
  warnings: CatalogWarning[];
  /**
   * Old name to new one, or to null when the plugin is gone. Names as written: use `nameSlug` on them.
   * They may lead in circles. The object has no prototype.
   */
  renames: Record<string, string | null>;
}

export interface CatalogContext {
  kind: SourceKind;
  /** URL of the catalogue, or of the repository that holds it. */
  address: string;
  /** The built-in catalogue, which may list official plugins. */
  trusted?: boolean;
  /** Makes an absolute address of a git address such as `../x`; null or left out: such entries cannot be installed. */
  resolveAgainst?: (relative: string) => string | null;
}

/** Why one entry is left out, as a clause that begins with it: `has no source`. */
export class EntryProblem extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(textOf(reason));
    this.reason = reason;
  }
}

/** What the reading of one entry may use and say. */
export interface EntryScope {
  context: CatalogContext;
  /** Folder for plain names as a source; null: there is none. */
  pluginRoot: string | null;
  /** Adds a warning to an entry that stays, as a clause that begins with it. */
  warn: (reason: Message) => void;
}

export type JsonObject = Record<string, unknown>;
