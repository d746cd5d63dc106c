/**
 * Makes the names of skills or commands unique, since the model and users call them by name. A name
 * shared by several plugins is qualified: `acme.words:summary`. So is a name that imitates such a
 * form.
 */
export function distinctNames<T extends { name: string; pluginId: string }>(
  all: readonly T[],
): T[] {
  const ownNames = all.map(({ pluginId, name }) => `${pluginId}:${name}`);
  const qualified = new Set<number>();
  for (let before = -1; qualified.size > before;) {
    before = qualified.size;
    const bearers = new Map<string, number[]>();
    for (const [index, { name }] of all.entries()) {
      const served = qualified.has(index) ? (ownNames[index] as string) : name;
      const existing = bearers.get(served);
      if (existing === undefined) bearers.set(served, [index]);
      else existing.push(index);
    }
    for (const indexes of bearers.values())
      if (indexes.length > 1) for (const index of indexes) qualified.add(index);
  }
  return all.map((one, index) =>
    qualified.has(index) ? { ...one, name: ownNames[index] as string } : one,
  );
}
