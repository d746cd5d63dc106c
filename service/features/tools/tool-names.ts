import { createHash } from 'node:crypto';
import type { Tool } from './tool.ts';

/** Model servers accept no longer names. */
const maxNameLength = 64;

/**
 * Gives every tool a unique name. A plugin's tool keeps the name of its manifest unless another
 * tool has the same or the host reserves it: then it gets the prefix `<plugin slug>__`. Of two
 * other tools with one name the first remains.
 */
export function distinctNames(
  tools: readonly Tool[],
  isReserved: (name: string) => boolean,
): Tool[] {
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1);
  const taken = new Set(tools.filter(({ pluginId }) => !pluginId).map(({ name }) => name));
  const seen = new Set<string>();
  return tools.flatMap((tool) => {
    const { name, pluginId } = tool;
    if (pluginId === undefined) {
      if (seen.has(name)) return [];
      seen.add(name);
      return [tool];
    }
    const free = counts.get(name) === 1 && !isReserved(name) && !taken.has(name);
    const own = free ? name : prefixed(tool.name, pluginId, taken);
    taken.add(own);
    return [own === name ? tool : { ...tool, name: own }];
  });
}

function prefixed(name: string, pluginId: string, taken: ReadonlySet<string>): string {
  const slug = pluginId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  const whole = `${slug}__${name}`;
  if (whole.length <= maxNameLength && !taken.has(whole)) return whole;
  // A hash distinguishes similar ids and shortened names.
  const mark = createHash('sha256').update(`${pluginId} ${name}`).digest('hex').slice(0, 8);
  return `${whole.slice(0, maxNameLength - mark.length - 1)}_${mark}`;
}
