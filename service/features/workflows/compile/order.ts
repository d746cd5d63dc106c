/** A node with its position on the canvas, in pixels. */
export interface Positioned {
  id: string;
  x: number;
  y: number;
}

/**
 * Sorts nodes after their dependencies; among candidates the leftmost comes first, then the
 * topmost, then by id. Nodes that depend on each other are returned as a cycle instead, in order.
 */
export function orderOf<T extends Positioned>(
  nodes: readonly T[],
  sourcesOf: (id: string) => ReadonlySet<string>,
): { order: T[] } | { circle: string[] } {
  const order: T[] = [];
  const done = new Set<string>();
  const remaining = nodes.toSorted(byPosition);
  while (remaining.length > 0) {
    const next = remaining.findIndex(({ id }) =>
      [...sourcesOf(id)].every((source) => done.has(source)),
    );
    const [node] = next === -1 ? [] : remaining.splice(next, 1);
    if (node === undefined) return { circle: circleIn(remaining, sourcesOf) };
    order.push(node);
    done.add(node.id);
  }
  return { order };
}

function byPosition(a: Positioned, b: Positioned): number {
  return a.x - b.x || a.y - b.y || (a.id < b.id ? -1 : 1);
}

/** Finds a cycle among nodes that each have a source among them. */
function circleIn(
  nodes: readonly Positioned[],
  sourcesOf: (id: string) => ReadonlySet<string>,
): string[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const way: string[] = [];
  let id = nodes[0]?.id ?? '';
  while (!way.includes(id)) {
    way.push(id);
    id = [...sourcesOf(id)].filter((source) => ids.has(source)).sort()[0] ?? id;
  }
  return way.slice(way.indexOf(id)).reverse();
}

/** Returns all nodes that run before each node, without itself. */
export function prerequisitesOf(
  order: readonly Positioned[],
  sourcesOf: (id: string) => ReadonlySet<string>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id } of order) {
    const all = new Set<string>();
    for (const source of sourcesOf(id)) {
      all.add(source);
      for (const earlier of found.get(source) ?? []) all.add(earlier);
    }
    found.set(id, all);
  }
  return found;
}
