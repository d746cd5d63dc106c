/** The areas of the shell, as they stand in addresses. */
const areaNames = ['chat', 'agent', 'flows', 'plugins', 'store', 'mcp', 'settings'] as const;
export type Area = (typeof areaNames)[number];

/** What the content shows. It stands in the fragment of the address, so a reload comes back to it. */
export interface Route {
  area: Area;
  /** What of the area is open: a conversation, a plugin, a section. Null: nothing yet. */
  id: string | null;
}

export function pathOfRoute({ area, id }: Route): string {
  return `/${area}${id === null ? '' : `/${encodeURIComponent(id)}`}`;
}

/** The route of a path inside the shell; null when it leads nowhere. */
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

/** What the address of the page says, or what the shell begins with. */
export const routeOfPage = (page: Pick<Window, 'location'>): Route =>
  routeOfPath(page.location.hash.slice(1)) ?? { area: 'plugins', id: null };
