export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns null for a text that is not a JSON object. */
export function jsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the parsed value, or the text itself if it is not JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Indents objects and lists; returns any other text unchanged. */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const value = jsonOrText(text);
  return value === text ? text : JSON.stringify(value, null, 2);
}
