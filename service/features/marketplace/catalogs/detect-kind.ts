import { isObject } from '../../../core/is-object.ts';
import { SourceKind } from '../../../contract/store.ts';
import { catalogKinds, repositoryKinds } from './catalog-kinds.ts';

/** Number of entries that are examined. */
const sampleSize = 200;

/**
 * Detects the kind of a catalog by its entries first, then by its address, then by its other
 * fields. Null for an unknown kind.
 */
export function detectKind(document: unknown, address: string): SourceKind | null {
  if (!isObject(document) || !Array.isArray(document['plugins'])) return null;
  const plugins: unknown[] = document['plugins'];
  const sample = plugins.slice(0, sampleSize).filter(isObject);
  const kinds = SourceKind.options;
  const fits = (kind: SourceKind): boolean =>
    catalogKinds[kind].fits(document, sample, plugins.length === 0);
  return (
    kinds.find((kind) => sample.some(catalogKinds[kind].owns)) ??
    kindOfAddress(address) ??
    kinds.findLast(fits) ??
    null
  );
}

/** By the folder in which repositories have such a catalog. */
function kindOfAddress(address: string): SourceKind | undefined {
  const path = `/${URL.parse(address)?.pathname ?? address}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const isFile = !path.endsWith('/');
  const ends = (file: string): boolean =>
    isFile && folder.endsWith(`/${file.slice(0, file.lastIndexOf('/'))}`);
  return repositoryKinds.find(({ file }) => ends(file))?.kind;
}

/** A first guess before the catalog is read, by the hidden folder in the address. */
export function likelyKind(address: string): SourceKind {
  const named = repositoryKinds.find(({ file }) =>
    address.includes(`/${file.slice(0, file.indexOf('/'))}/`),
  );
  return named?.kind ?? 'CLAUDE';
}
