/**
 * Takes a one-time ticket out of the address (`#ticket=…`). Removes it at once from the address bar
 * and the history, so that it is neither shared nor used again by a reload.
 */
export function takeTicket(page: Pick<Window, 'location' | 'history'>): string | null {
  const match = /^#ticket=(.+)$/.exec(page.location.hash);
  if (!match) return null;
  page.history.replaceState(null, '', page.location.pathname + page.location.search);
  return match[1] ?? null;
}
