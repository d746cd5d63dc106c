import type { Message } from '../../../messages/index.ts';
import type { AcceptedPlugin, CheckedPackage } from '../../plugins/index.ts';

/** The fetched and checked files of a plugin. */
export interface FetchedPlugin {
  plugin: AcceptedPlugin;
  /** Only for a `.plugin` package. */
  checked?: CheckedPackage;
  /** Files that are left out, and why, as a clause. */
  skipped: readonly { name: string; reason: Message }[];
}

/** Installs or inspects the files, which are removed afterwards. */
export type FetchedPluginHandler<T> = (fetched: FetchedPlugin, signal: AbortSignal) => Promise<T>;
