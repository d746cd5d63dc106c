/** Whether what somebody looks for stands in one of the texts. */
export const matchesQuery = (query: string, ...texts: readonly string[]): boolean =>
  texts.join('\n').toLowerCase().includes(query.trim().toLowerCase());
