import type { Message } from '../../../messages/index.ts';
import type { AcceptedPlugin, CheckedPackage } from '../../plugins/index.ts';

/** The files of a plugin that were fetched and checked. */
export interface FetchedPlugin {
  plugin: AcceptedPlugin;
  /** Of a `.plugin` package. */
  checked?: CheckedPackage;
  /** Files that are left out, and why, as a clause. */
  skipped: readonly { name: string; reason: Message }[];
}

/** Installs them, or looks at them. */
export type FetchedPluginHandler<T> = (fetched: FetchedPlugin, signal: AbortSignal) => Promise<T>;
