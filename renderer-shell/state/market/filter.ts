import type { MarketplacePlugin } from '../../../service/contract/index.ts';

/** The filter of the store. Null and empty values match everything. */
export interface Filter {
  query: string;
  installed: boolean;
  sourceId: string | null;
  category: string | null;
}

export const noFilter: Filter = { query: '', installed: false, sourceId: null, category: null };

/** Returns the matching plugins: matches in the name first, then by name. */
export function filtered(items: readonly MarketplacePlugin[], filter: Filter): MarketplacePlugin[] {
  const terms = filter.query.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .filter((item) => isOf(item, filter) && terms.every((word) => textOf(item).includes(word)))
    .map((item) => ({ item, rank: rankOf(item, terms[0]) }))
    .sort((a, b) => a.rank - b.rank || byName(a.item, b.item))
    .map(({ item }) => item);
}

const isOf = (item: MarketplacePlugin, { installed, sourceId, category }: Filter): boolean =>
  (!installed || item.installed) &&
  (sourceId === null || item.sourceId === sourceId) &&
  (category === null || item.category === category);

/** The search texts of large catalogs are built only once for each reading. */
const texts = new WeakMap<MarketplacePlugin, string>();

function textOf(item: MarketplacePlugin): string {
  const cached = texts.get(item);
  if (cached !== undefined) return cached;
  const { name, id, description, author, category, keywords } = item;
  const text = [name, id, description, author, category, ...keywords].join('\n').toLowerCase();
  texts.set(item, text);
  return text;
}

function rankOf({ name }: MarketplacePlugin, word: string | undefined): number {
  if (word === undefined) return 0;
  const at = name.toLowerCase().indexOf(word);
  return at === 0 ? 0 : at > 0 ? 1 : 2;
}

const order = new Intl.Collator();
const byName = (a: MarketplacePlugin, b: MarketplacePlugin): number =>
  order.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);

/** The number of plugins for each filter. */
export interface Counts {
  all: number;
  installed: number;
  bySource: ReadonlyMap<string, number>;
  /** Sorted by count, largest first. */
  byCategory: readonly (readonly [category: string, count: number])[];
}

export function countsOf(items: readonly MarketplacePlugin[]): Counts {
  const bySource = new Map<string, number>();
  const byCategory = new Map<string, number>();
  let installed = 0;
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const item of items) {
    if (item.installed) installed += 1;
    if (item.sourceId !== null) count(bySource, item.sourceId);
    count(byCategory, item.category);
  }
  const sorted = [...byCategory].sort(
    ([a, countA], [b, countB]) => countB - countA || order.compare(a, b),
  );
  return { all: items.length, installed, bySource, byCategory: sorted };
}

export const isFiltered = ({ query, installed, sourceId, category }: Filter): boolean =>
  query.trim() !== '' || installed || sourceId !== null || category !== null;
