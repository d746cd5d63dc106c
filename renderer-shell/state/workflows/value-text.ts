/** A value as a text by which it can be told from others; nothing is an empty text. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
