/** The scheme that packages register with the system. */
export const linkScheme = 'plugin-host:';

const mostCharacters = 2_000;

export const isLink = (text: string): boolean => text.toLowerCase().startsWith(linkScheme);

/**
 * Returns the id of the store plugin that a link offers to install, or null for any other link. Any
 * web page can carry such a link, so it only opens the plugin's page, where a person decides.
 */
export function pluginOfLink(link: string): string | null {
  if (!isLink(link) || link.length > mostCharacters || !URL.canParse(link)) return null;
  const { host, pathname, searchParams, username, password, port } = new URL(link);
  const plugin = searchParams.get('plugin');
  const isInstall = host === 'install' && ['', '/'].includes(pathname);
  if (!isInstall || username + password + port !== '') return null;
  // Plugin ids; addresses that begin with ~ are other pages of the store.
  return plugin !== null && /^[\p{L}\p{N}][^\p{Cc}]{0,199}$/u.test(plugin) ? plugin : null;
}

/** Returns the plugin id of the first argument that is such a link. */
export function pluginIn(args: readonly string[]): string | null {
  return args.map(pluginOfLink).find((plugin) => plugin !== null) ?? null;
}
