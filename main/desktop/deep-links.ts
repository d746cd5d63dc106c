/** As packages register it with the system. */
export const linkScheme = 'plugin-host:';

const mostCharacters = 2_000;

export const isLink = (text: string): boolean => text.toLowerCase().startsWith(linkScheme);

/**
 * The place in the shell that a link leads to, which any web page may hold: the page of one plugin in the
 * store, where a person reads what it is and decides. Null for every other link.
 */
export function routeOfLink(link: string): string | null {
  if (!isLink(link) || link.length > mostCharacters || !URL.canParse(link)) return null;
  const { host, pathname, searchParams, username, password, port } = new URL(link);
  const plugin = searchParams.get('plugin');
  const isInstall = host === 'install' && ['', '/'].includes(pathname);
  if (!isInstall || username + password + port !== '') return null;
  // Ids of the store; what begins with ~ are its other pages.
  if (plugin === null || !/^[\p{L}\p{N}][^\p{Cc}]{0,199}$/u.test(plugin)) return null;
  return `/store/${encodeURIComponent(plugin)}`;
}

/** The first place that one of the arguments leads to. */
export function routeIn(args: readonly string[]): string | null {
  return args.map(routeOfLink).find((route) => route !== null) ?? null;
}
