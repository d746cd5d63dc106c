export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Null for a text that is no JSON object. */
export function jsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The value of a text that is JSON, else the text itself. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Objects and lists on several lines; any other text stays as it is. */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const value = jsonOrText(text);
  return value === text ? text : JSON.stringify(value, null, 2);
}
