import { isObject } from '../../../core/is-object.ts';
import { type Catalog } from './catalog.ts';
import type { CatalogWarnings } from './catalog-warnings.ts';
import { nameSlug } from './name-slug.ts';
import { msg } from '../../../messages/index.ts';

const maxRenames = 20_000;
const maxNameLength = 1_000;

/** Reads the `renames` of a catalog; an invalid pair is left out with a warning. */
export function readRenames(value: unknown, warnings: CatalogWarnings): Catalog['renames'] {
  // Without a prototype, since the keys are untrusted.
  const renames = Object.create(null) as Catalog['renames'];
  if (value === undefined || value === null) return renames;
  if (!isObject(value)) {
    warnings.add('', msg('catalog.renamesNotObject'));
    return renames;
  }
  const pairs = Object.entries(value);
  if (pairs.length > maxRenames) {
    warnings.add('', msg('catalog.tooManyRenames', { count: pairs.length, limit: maxRenames }));
  }
  for (const [from, to] of pairs.slice(0, maxRenames)) {
    if (isName(from) && from !== to && (to === null || isName(to))) renames[from] = to;
    else warnings.add(from, msg('catalog.badRename'));
  }
  return renames;
}

function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= maxNameLength && nameSlug(value) !== undefined
  );
}
