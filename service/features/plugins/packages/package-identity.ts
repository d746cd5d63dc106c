import { reservedNamespace } from '../../../contract/manifest.ts';

/**
 * Returns true for a plugin id in the namespace of official plugins, and for one that looks like
 * it: other case, full-width letters, invisible characters, surrounding spaces, a trailing dot.
 */
export function isReservedId(id: string): boolean {
  const folded = id
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\s]/gu, '')
    .replace(/[。｡]/gu, '.')
    .toUpperCase()
    .toLowerCase()
    .replace(/^\.+|\.+$/g, '');
  return `${folded}.`.startsWith(reservedNamespace);
}
