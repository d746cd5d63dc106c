import { randomBytes } from 'node:crypto';
import type { NamespaceNames } from '../../../platform/database/namespaces/namespace.ts';

const longestName = 63;
/** The maximum length of a MySQL user name. */
const longestUsername = 32;

/**
 * Returns new names for a plugin, of `a-z 0-9 _`. The random suffix distinguishes similar ids,
 * earlier namespaces of the same plugin, and hosts that share a server.
 */
export function newNamespaceNames(pluginId: string): NamespaceNames {
  const slug = pluginId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  const end = `_${randomBytes(4).toString('hex')}`;
  const cut = (longest: number): string =>
    `plugin_${slug}`.slice(0, longest - end.length).replace(/_+$/, '') + end;
  return { name: cut(longestName), username: cut(longestUsername) };
}
