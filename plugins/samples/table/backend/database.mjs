import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { badParams } from './plugin-kit/worker.mjs';
import { limits, pause } from './limits.mjs';
import { readTables, stampOf } from './tables.mjs';

const INSERTED_AT_ONCE = 5_000;
const READ_AT_ONCE = 2_000;
/** Percentage of a call's progress that reading files takes. */
const READING = 60;

/** @type {Promise<any> | null} */
let engine = null;
/** The last opened database: the next call is usually about the same files. */
let last = null;

/** Serializes calls that use the database, as another call may open other files. */
let queue = Promise.resolve();

/**
 * Calls `use` with a database that has one table for each file or sheet.
 * @template T
 * @param {unknown} files
 * @param {import('./plugin-kit/open-call.mjs').Call} call
 * @param {(opened: any) => Promise<T> | T} use
 * @returns {Promise<T>}
 */
export function withDatabase(files, call, use) {
  const work = queue.then(async () => {
    call.signal.throwIfAborted();
    return use(await openDatabase(files, call));
  });
  queue = work.catch(() => undefined);
  return work;
}

/**
 * Opens a database in memory, which stays open until other files are requested.
 * @param {unknown} files
 * @param {import('./plugin-kit/open-call.mjs').Call} call
 */
async function openDatabase(files, { signal, progress }) {
  const stamp = await stampOf(files);
  if (last?.stamp === stamp) return last;
  const onProgress = (share) => progress(share * READING, 'reading');
  const tables = await readTables(files, { signal, onProgress });
  const SQL = await (engine ??= initSqlJs());
  const database = new SQL.Database();
  try {
    const described = [];
    for (const [index, table] of tables.entries()) {
      const types = table.columns.map((_, column) => typeOf(table.rows, column));
      const onShare = (share) =>
        progress(READING + ((index + share) / tables.length) * (90 - READING), 'loading');
      await load(database, { table, types, signal, onShare });
      described.push(describe(table, types));
    }
    // Access was granted for reading, so the engine must reject writing statements.
    database.run('PRAGMA query_only = ON');
    last?.database.close();
    last = { stamp, database, tables: described };
    return last;
  } catch (error) {
    database.close();
    throw error;
  }
}

const describe = ({ name, file, sheet, columns, rows }, types) => ({
  name,
  file,
  sheet,
  rows: rows.length,
  columns: columns.map((column, index) => ({ name: column, type: types[index] })),
});

export const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

async function load(database, { table, types, signal, onShare }) {
  const { name, columns, rows } = table;
  const declared = columns.map((column, index) => `${quoted(column)} ${sqlTypes[types[index]]}`);
  database.run(`CREATE TABLE ${quoted(name)} (${declared.join(', ')})`);
  const insert = database.prepare(
    `INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`,
  );
  database.run('BEGIN');
  for (const [index, row] of rows.entries()) {
    insert.run(row.map((value, column) => bound(value, types[column])));
    if (index % INSERTED_AT_ONCE !== 0) continue;
    onShare(index / rows.length);
    await pause(signal);
  }
  database.run('COMMIT');
  insert.free();
}

const sqlTypes = { integer: 'INTEGER', number: 'REAL', boolean: 'INTEGER', text: 'TEXT' };
// Numbers up to this length keep all digits; a value with a leading zero is a code.
const numeric = /^\s*-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?\s*$/;

/** Returns the common type of all non-empty values of a column. */
function typeOf(rows, column) {
  const found = new Set();
  for (const row of rows) {
    const value = row[column];
    if (value === null || value === '') continue;
    if (typeof value === 'boolean') found.add('boolean');
    else if (typeof value === 'string' && !numeric.test(value)) return 'text';
    else found.add(Number.isInteger(Number(value)) ? 'integer' : 'number');
  }
  if (found.has('boolean')) return found.size === 1 ? 'boolean' : 'text';
  if (found.has('number')) return 'number';
  return found.has('integer') ? 'integer' : 'text';
}

function bound(value, type) {
  if (value === null || value === '') return null;
  if (type === 'text') return String(value);
  return typeof value === 'boolean' ? Number(value) : Number(value);
}

/**
 * Runs one reading statement and passes on its rows.
 * @param {{ database: any, tables: { name: string, columns: { name: string }[] }[] }} opened
 * @param {unknown} sql
 * @param {{ signal: AbortSignal, onRow: (row: unknown[]) => boolean }} reading `onRow` returns
 * false to stop
 * @returns {Promise<string[]>} the names of the columns
 */
export async function select({ database, tables }, sql, { signal, onRow }) {
  if (typeof sql !== 'string' || sql.trim() === '') throw badParams('Write an SQL statement.');
  if (!/^\s*(?:--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(?:select|with|values|explain)\b/i.test(sql))
    throw badParams('Only a statement that reads is run: SELECT or WITH.', {
      reason: 'not_select',
    });
  const statements = database.iterateStatements(sql);
  const step = (run) => {
    try {
      return run();
    } catch (error) {
      throw sqlError(error, tables);
    }
  };
  const statement = step(() => statements.next().value);
  if (statement === undefined) throw badParams('Write an SQL statement.');
  try {
    for (let count = 1; step(() => statement.step()); count++) {
      if (!onRow(statement.get().map(shownValue))) break;
      if (count % READ_AT_ONCE === 0) await pause(signal);
    }
    const columns = statement.getColumnNames();
    if (!isOnlyComment(statements.getRemainingSQL()))
      throw badParams('Run one statement at a time.', { reason: 'one_statement' });
    return columns;
  } finally {
    statement.free();
  }
}

/** Shows bytes as hexadecimal digits. */
const shownValue = (value) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

const isOnlyComment = (sql) => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|[\s;]/g, '') === '';

function sqlError(error, tables) {
  // An engine that ran out of memory cannot be used again.
  if (error instanceof WebAssembly.RuntimeError) engine = last = null;
  const detail = error instanceof Error ? error.message : String(error);
  const known = detail.startsWith('no such column')
    ? tables.flatMap(({ name, columns }) => columns.map((one) => `${name}.${one.name}`))
    : tables.map(({ name }) => name);
  const hint = /^no such (?:table|column)/.test(detail)
    ? ` There is: ${known.slice(0, 50).join(', ')}.`
    : '';
  return badParams(`SQL: ${detail}.${hint}`, { reason: 'sql', detail, hint });
}

/** Returns the rows of a statement, up to the limit of an answer. */
export async function rowsOf(opened, sql, { limit, signal }) {
  const rows = [];
  let characters = 0;
  let truncated = false;
  const columns = await select(opened, sql, {
    signal,
    onRow(row) {
      characters += row.reduce((sum, value) => sum + String(value ?? '').length + 4, 0);
      truncated = rows.length === limit || characters > limits.resultCharacters;
      if (!truncated) rows.push(row);
      return !truncated;
    },
  });
  return { columns, rows, truncated };
}
