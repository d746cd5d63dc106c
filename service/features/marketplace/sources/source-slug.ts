import { percentDecoded } from '../../../core/percent-decoded.ts';
import { nameSlug } from '../catalogs/name-slug.ts';

const maxSlugLength = 50;

/** The id of a source, made from its name or its address. */
export function sourceSlug(name: string | null, url: string): string {
  const own = name === null ? undefined : nameSlug(name);
  return (own ?? nameSlug(nameFromUrl(url)) ?? 'source')
    .slice(0, maxSlugLength)
    .replace(/[-_]+$/, '');
}

function nameFromUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  const parts = percentDecoded(pathname)
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('.'));
  const named = parts.filter((part) => !/^(?:marketplace|catalog|plugins)(?:\.json)?$/i.test(part));
  return named.at(-1)?.replace(/\.(?:git|json)$/i, '') ?? hostname;
}

/** The slug, or the first free one with `-2`, `-3`, … at its end. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let free = slug;
  for (let number = 2; isTaken(free); number += 1) free = `${slug}-${number}`;
  return free;
}
