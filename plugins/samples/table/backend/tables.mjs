import { bytesOf, grantedFiles } from './granted-files.mjs';
import { Budget } from './limits.mjs';
import { readCsv } from './read-csv.mjs';
import { readXlsx } from './read-xlsx.mjs';

/**
 * @typedef {string | number | boolean | null} Value
 * @typedef {{ sheet: string | null, rows: Value[][] }} Grid
 * @typedef {object} Table
 * @property {string} name of the table in SQL
 * @property {string} file
 * @property {string | null} sheet
 * @property {string[]} columns
 * @property {Value[][]} rows each as long as `columns`
 */

/**
 * Returns the tables in the granted files: one for each CSV file and each non-empty sheet.
 * @param {unknown} given
 * @param {{ signal: AbortSignal, onProgress: (share: number) => void }} reading
 * @returns {Promise<Table[]>}
 */
export async function readTables(given, { signal, onProgress }) {
  const files = await grantedFiles(given);
  const budget = new Budget();
  const tables = [];
  const names = new Set();
  for (const [index, file] of files.entries()) {
    const read = file.kind.startsWith('.xls') ? readXlsx : readCsv;
    const onShare = (share) => onProgress((index + share) / files.length);
    const reading = { name: file.name, budget, signal, onProgress: onShare };
    const grids = (await read(await bytesOf(file), reading)).filter(({ rows }) =>
      rows.some(hasValue),
    );
    for (const grid of grids) {
      const stem = file.name.replace(/\.[^.]+$/, '');
      const wanted = grids.length > 1 ? `${stem}_${grid.sheet}` : stem;
      const name = unique(sqlName(wanted), names);
      tables.push({ name, file: file.name, sheet: grid.sheet, ...withHeader(grid.rows) });
    }
    onShare(1);
  }
  return tables;
}

/** Returns a key that changes with the content of the files. */
export async function stampOf(given) {
  return (await grantedFiles(given)).map(({ stamp }) => stamp).join('\n');
}

const isEmpty = (value) => value === null || value === undefined || value === '';
const hasValue = (row) => row.some((value) => !isEmpty(value));

/** Uses the first non-empty row as column names. */
function withHeader(grid) {
  const start = grid.findIndex(hasValue);
  const [header, ...rows] = grid.slice(start);
  const width = grid.reduce((most, row) => Math.max(most, lastFilled(row) + 1), 0);
  const names = new Set();
  const columns = Array.from({ length: width }, (_, index) => {
    const text = String(header[index] ?? '').trim();
    return unique(text === '' ? `column_${index + 1}` : text, names);
  });
  const fitted = rows.map((row) => columns.map((_, index) => row[index] ?? null));
  return { columns, rows: fitted };
}

const lastFilled = (row) => row.findLastIndex((value) => !isEmpty(value));

/** Keeps letters of any language, digits and `_`, so that the name needs no quotes in SQL. */
function sqlName(text) {
  const plain = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  if (plain === '') return 'data';
  return /^\p{N}|^sqlite_/iu.test(plain) || keywords.has(plain.toLowerCase())
    ? `t_${plain}`
    : plain;
}

/** SQL keywords that are plausible as file names. */
const keywords = new Set(
  'all and as between by case check column default distinct drop except exists from group having in index insert into is join left limit not null on or order primary references select set table then to transaction union unique update using values when where with'.split(
    ' ',
  ),
);

/** SQL names are case-insensitive. */
function unique(wanted, names) {
  let name = wanted;
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${wanted}_${number}`;
  names.add(name.toLowerCase());
  return name;
}
