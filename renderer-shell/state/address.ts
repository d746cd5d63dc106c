/** The areas of the shell, as they appear in addresses. */
const areaNames = ['chat', 'agent', 'flows', 'plugins', 'store', 'mcp', 'settings'] as const;
export type Area = (typeof areaNames)[number];

/**
 * The visible content. It is stored in the fragment of the address, so that a reload restores it.
 */
export interface Route {
  area: Area;
  /** The open item of the area: a conversation, a plugin, a section. Null if none is open. */
  id: string | null;
}

export function pathOfRoute({ area, id }: Route): string {
  return `/${area}${id === null ? '' : `/${encodeURIComponent(id)}`}`;
}

/** Returns the route of a path inside the shell; null if it leads nowhere. */
export function routeOfPath(path: string): Route | null {
  const [, name, part] = /^\/([a-z]+)(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  const area = areaNames.find((each) => each === name);
  return area ? { area, id: part === undefined ? null : decoded(part) } : null;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Returns the route of the page's address, or the start route of the shell. */
export const routeOfPage = (page: Pick<Window, 'location'>): Route =>
  routeOfPath(page.location.hash.slice(1)) ?? { area: 'plugins', id: null };
