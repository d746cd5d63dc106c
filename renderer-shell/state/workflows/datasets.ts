import { isObject } from '../../core/json.ts';
import { valueText } from './value-text.ts';

/** A list or value found inside of another value, with the path that other inputs use for it. */
export interface Dataset {
  /** Empty for the entire value. */
  path: string;
  /** The entries as texts; objects are represented by their names. */
  entries: string[];
  /** The number of entries; null for a single value. */
  count: number | null;
}

const maxDatasets = 12;
const readEntries = 20;
const maxTextLength = 60;

/** Returns the lists and values inside of a value; nested ones have a path. */
export function datasetsIn(value: unknown): Dataset[] {
  if (value === undefined) return [];
  return within(value, '', 0).slice(0, maxDatasets);
}

function within(value: unknown, path: string, depth: number): Dataset[] {
  if (Array.isArray(value)) {
    const entries = (value as unknown[]).slice(0, readEntries).map(nameOf);
    return [{ path, entries, count: value.length }];
  }
  if (!isObject(value) || depth > 2) return [{ path, entries: [nameOf(value)], count: null }];
  return Object.entries(value)
    .slice(0, maxDatasets)
    .flatMap(([name, inner]) => within(inner, path === '' ? name : `${path}.${name}`, depth + 1));
}

const namesOf = ['label', 'name', 'title', 'id', 'value'];

function nameOf(value: unknown): string {
  const named = isObject(value) ? namesOf.map((name) => value[name]) : [];
  const name = named.find((one) => typeof one === 'string' || typeof one === 'number');
  return valueText(name ?? value ?? null).slice(0, maxTextLength);
}
