import type { CheckedPackage, FreshPlugin, PluginHost } from '../../plugins/index.ts';

/** The files of a plugin that were fetched and checked. */
export interface Fetched {
  fresh: FreshPlugin;
  source: Parameters<PluginHost['install']>[1];
  /** Files that are left out, and why, as a clause. */
  /** Of a `.plugin` package. */
  checked?: CheckedPackage;
  skipped: readonly { name: string; reason: string }[];
}

/** What is done with them: they are installed, or looked at. */
export type TakeIn<T> = (fetched: Fetched, signal: AbortSignal) => Promise<T>;
