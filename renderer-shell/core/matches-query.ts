/** Returns true if one of the texts contains the search query. */
export const matchesQuery = (query: string, ...texts: readonly string[]): boolean =>
  texts.join('\n').toLowerCase().includes(query.trim().toLowerCase());
