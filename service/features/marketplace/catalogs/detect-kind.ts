import { isObject } from '../../../core/is-object.ts';
import { SourceKind } from '../../../contract/store.ts';
import { catalogKinds, repositoryKinds } from './catalog-kinds.ts';

/** Of a catalogue, to tell its kind. */
const sampleSize = 200;

/**
 * Which kind of catalogue a document is, by its entries first, then by the place where it lies, then by
 * what else it says. Null: it is none that the host knows.
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

/** By the folder in which such a catalogue lies in repositories. */
function kindOfAddress(address: string): SourceKind | undefined {
  const path = `/${URL.parse(address)?.pathname ?? address}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const isFile = !path.endsWith('/');
  const ends = (file: string): boolean =>
    isFile && folder.endsWith(`/${file.slice(0, file.lastIndexOf('/'))}`);
  return repositoryKinds.find(({ file }) => ends(file))?.kind;
}

/** Until it is read: by the hidden folder that the address names. */
export function likelyKind(address: string): SourceKind {
  const named = repositoryKinds.find(({ file }) =>
    address.includes(`/${file.slice(0, file.indexOf('/'))}/`),
  );
  return named?.kind ?? 'CLAUDE';
}
