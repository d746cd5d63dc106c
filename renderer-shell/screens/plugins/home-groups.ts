import type { MarketplacePlugin } from '../../../service/contract/index.ts';

const other = 'other';

/** Groups plugins by category: those without one last, and enabled ones first within each group. */
export function byCategory(
  plugins: readonly MarketplacePlugin[],
): [category: string, plugins: MarketplacePlugin[]][] {
  const groups = new Map<string, MarketplacePlugin[]>();
  for (const plugin of plugins) {
    const category = plugin.category.trim() === '' ? other : plugin.category;
    groups.set(category, [...(groups.get(category) ?? []), plugin]);
  }
  for (const members of groups.values())
    members.sort((one, two) => Number(two.enabled) - Number(one.enabled));
  return [...groups].sort(
    ([one], [two]) => Number(one === other) - Number(two === other) || one.localeCompare(two),
  );
}

export const matchesPlugin = (
  { id, name, description }: Pick<MarketplacePlugin, 'id' | 'name' | 'description'>,
  query: string,
): boolean => `${name}\n${id}\n${description}`.toLowerCase().includes(query.trim().toLowerCase());
