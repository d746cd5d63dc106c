import { reservedNamespace } from '../../../contract/manifest.ts';

/**
 * Whether a plugin id lies in the namespace of the official plugins, or could be taken for one that
 * does: other case, full-width letters, invisible characters, blanks around it, a dot at its end.
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
