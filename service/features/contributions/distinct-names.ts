/**
 * Names are how the model and a person call a skill or a command. One that several plugins bring is
 * told apart by its plugin: `acme.words:summary`.
 */
export function distinctNames<T extends { name: string; pluginId: string }>(
  all: readonly T[],
): T[] {
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  return all.map((one) =>
    (counts.get(one.name) ?? 0) > 1 ? { ...one, name: `${one.pluginId}:${one.name}` } : one,
  );
}
