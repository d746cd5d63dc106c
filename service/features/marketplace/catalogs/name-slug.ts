import { createHash } from 'node:crypto';
import { misleadsWindows } from '../../../platform/archives/archive-names.ts';

const maxSlugLength = 60;
const hashLength = 8;
/** Characters used of a name; the hash covers all of it. */
const maxRead = 200;
const marks = /\p{M}/gu;

/**
 * Converts the name of a plugin or a source to a path segment that is safe on every system:
 * `[a-z0-9][a-z0-9_-]*`, at most 60 characters. Names that lose letters (other scripts, too long)
 * get a short hash, so that they stay distinct. Undefined if the name has no letter or digit.
 */
export function nameSlug(name: string): string | undefined {
  if (/^[a-z0-9][a-z0-9_-]{4,59}$/.test(name)) return name;
  const letters = name.slice(0, maxRead).normalize('NFKD').replace(marks, '').toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(letters)) return undefined;
  const slug = letters
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .replace(/-+$/, '');
  const lost = name.length > maxRead || /[^\P{L}a-z]|[^\P{N}0-9]/u.test(letters);
  if (!lost && slug.length <= maxSlugLength) return misleadsWindows(slug) ? `plugin-${slug}` : slug;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  const start = slug.slice(0, maxSlugLength - hashLength - 1).replace(/[-_]+$/, '');
  return `${start === '' ? 'plugin' : start}-${hash}`;
}
