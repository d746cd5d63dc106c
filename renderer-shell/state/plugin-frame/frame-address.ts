/**
 * Where the page of a plugin is loaded from: the service itself, or, in a browser that sees it under
 * another name or port (a forwarded port, a proxy), the origin of the shell.
 */
export function frameAddress(
  entry: string,
  page: Pick<Location, 'protocol' | 'host' | 'origin'>,
): string {
  if (!/^https?:$/.test(page.protocol) || !URL.canParse(entry)) return entry;
  const { port, pathname, search } = new URL(entry);
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  return own.includes(page.host) ? entry : page.origin + pathname + search;
}
