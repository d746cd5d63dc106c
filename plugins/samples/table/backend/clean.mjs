import { pause } from './limits.mjs';
import { convertColumn } from './column-types.mjs';

const ROWS_AT_ONCE = 20_000;
const isEmpty = (value) => value === null || value === '';

/** All cleaning steps in the order of their execution. */
export const cleaningSteps = ['trim', 'emptyRows', 'emptyColumns', 'duplicates', 'types'];

/**
 * Returns a cleaned table, see `cleaningSteps`.
 * @param {import('./tables.mjs').Table} table
 * @param {Set<string>} steps
 * @param {{ signal: AbortSignal, onProgress: (share: number) => void }} reporting
 */
export async function cleanTable(table, steps, { signal, onProgress }) {
  const changes = { trimmed: 0, emptyRows: 0, emptyColumns: 0, duplicates: 0, converted: 0 };
  let { columns } = table;
  let rows = [];
  const seen = new Set();
  for (const [index, original] of table.rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) {
      onProgress((index / table.rows.length) * 0.8);
      await pause(signal);
    }
    const row = steps.has('trim') ? original.map(trimmed) : original;
    if (steps.has('emptyRows') && row.every(isEmpty)) {
      changes.emptyRows += 1;
      continue;
    }
    if (steps.has('duplicates')) {
      const key = JSON.stringify(row);
      if (seen.has(key)) {
        changes.duplicates += 1;
        continue;
      }
      seen.add(key);
    }
    changes.trimmed += row.reduce((sum, value, at) => sum + Number(value !== original[at]), 0);
    rows.push(row);
  }
  if (steps.has('emptyColumns')) {
    const kept = columns.map((_, at) => rows.some((row) => !isEmpty(row[at])));
    changes.emptyColumns = kept.filter((keep) => !keep).length;
    columns = columns.filter((_, at) => kept[at]);
    if (changes.emptyColumns > 0) rows = rows.map((row) => row.filter((_, at) => kept[at]));
  }
  if (steps.has('types'))
    for (const [at] of columns.entries()) {
      changes.converted += convertColumn(rows, at);
      onProgress(0.8 + (0.2 * at) / columns.length);
      await pause(signal);
    }
  return { columns, rows, changes };
}

/** Also removes invisible spaces and collapses repeated ones. */
function trimmed(value) {
  if (typeof value !== 'string') return value;
  return value.replace(/[\u00a0\u200b\ufeff\t ]+/g, ' ').trim();
}
