/**
 * Databases return the same value in different forms; the functions of this file normalize them.
 */

/**
 * Returns a time as ISO 8601. Raw rows of SQLite contain text: `2026-01-31 12:00:00.000 +00:00`.
 */
export function isoOf(date: Date | string): string;
export function isoOf(date: Date | string | null): string | null;
export function isoOf(date: Date | string | null): string | null {
  return date === null ? null : new Date(date).toISOString();
}

/** Converts a boolean, which SQLite and MySQL return as a number. */
export const truthOf = (value: boolean | number): boolean => value === true || value === 1;
