/** Databases give the same value in different clothes; this is where they are taken off. */

/** Raw rows of SQLite carry dates as text: `2026-01-31 12:00:00.000 +00:00`. */
export function isoOf(date: Date | string): string;
export function isoOf(date: Date | string | null): string | null;
export function isoOf(date: Date | string | null): string | null {
  return date === null ? null : new Date(date).toISOString();
}

/** SQLite and MySQL give booleans as numbers. */
export const truthOf = (value: boolean | number): boolean => value === true || value === 1;
