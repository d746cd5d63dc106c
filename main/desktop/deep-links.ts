/** As packages register it with the system. */
export const linkScheme = 'plugin-host:';

const mostCharacters = 2_000;

export const isLink = (text: string): boolean => text.toLowerCase().startsWith(linkScheme);

/**
 * The plugin of the store that a link offers to install, which any web page may hold: a person sees what it
 * is and decides. Null for every other link.
 */
export function pluginOfLink(link: string): string | null {
  if (!isLink(link) || link.length > mostCharacters || !URL.canParse(link)) return null;
  const { host, pathname, searchParams, username, password, port } = new URL(link);
  const plugin = searchParams.get('plugin');
  const isInstall = host === 'install' && ['', '/'].includes(pathname);
  if (!isInstall || username + password + port !== '') return null;
  // Ids of the store; what begins with ~ are its other pages.
  return plugin !== null && /^[\p{L}\p{N}][^\p{Cc}]{0,199}$/u.test(plugin) ? plugin : null;
}

/** Of the first link among the arguments that offers one. */
export function pluginIn(args: readonly string[]): string | null {
  return args.map(pluginOfLink).find((plugin) => plugin !== null) ?? null;
}
