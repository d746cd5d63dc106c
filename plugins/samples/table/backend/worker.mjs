import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badParams, createWorker } from './plugin-kit/worker.mjs';
import { chartOf, chartTotals } from './chart.mjs';
import { cleaningSteps, cleanTable } from './clean.mjs';
import { rowsOf, select, withDatabase } from './database.mjs';
import { limits, refuse, shown } from './limits.mjs';
import { readTables } from './tables.mjs';
import { writeCsv } from './write-csv.mjs';
import { writeXlsx } from './write-xlsx.mjs';

const writers = { csv: writeCsv, xlsx: writeXlsx };

/** Labels of choices in the language of the host. */
const labels = {
  en: {
    csv: 'CSV',
    xlsx: 'Excel (.xlsx)',
    sum: 'Sum',
    average: 'Average',
    count: 'Number of rows',
    minimum: 'Smallest',
    maximum: 'Largest',
    none: 'Each row by itself',
  },
  zh: {
    csv: 'CSV',
    xlsx: 'Excel（.xlsx）',
    sum: '总和',
    average: '平均值',
    count: '行数',
    minimum: '最小值',
    maximum: '最大值',
    none: '逐行',
  },
};
let language = 'en';
const option = (value) => ({ value, label: labels[language][value] });

/** Writes `<name>.<format>` into the granted output folder. */
async function save(table, { output, format = 'csv', name = 'result' }, { signal, onProgress }) {
  const write = writers[format];
  if (write === undefined) throw badParams(`The format is csv or xlsx, not ${String(format)}.`);
  if (typeof output !== 'string') throw badParams('Choose where the result is saved.');
  const stem = String(name)
    .replace(/[\\/:*?"<>|\0]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 100);
  const file = `${stem === '' ? 'result' : stem}.${format}`;
  try {
    await write(join(output, file), table, { signal, onProgress });
  } catch (error) {
    // A partial file could be mistaken for the complete result.
    await rm(join(output, file), { force: true });
    throw error;
  }
  return file;
}

/** Returns every row of a statement, to save them. */
async function allRows(opened, sql, { signal }) {
  const rows = [];
  let cells = 0;
  const columns = await select(opened, sql, {
    signal,
    onRow(row) {
      cells += row.length;
      if (rows.push(row) > limits.rows || cells > limits.cells)
        throw refuse(
          'result_too_large',
          `The result has more than ${shown(limits.rows)} rows or ${shown(limits.cells)} cells.`,
        );
      return true;
    },
  });
  return { columns, rows };
}

createWorker()
  .onInitialize(({ locale }) => {
    language = locale.startsWith('zh') ? 'zh' : 'en';
  })
  .method('tables', ({ files }, call) => withDatabase(files, call, ({ tables }) => ({ tables })))
  .method('query', ({ files, sql, limit = 100 }, call) =>
    withDatabase(files, call, (opened) => {
      call.progress(95, 'querying');
      return rowsOf(opened, sql, { limit, signal: call.signal });
    }),
  )
  .method('chart', (params, call) =>
    withDatabase(params.files, call, (opened) => chartOf(opened, params, call)),
  )
  .method('save', async (params, call) => {
    const table = await withDatabase(params.files, call, (opened) =>
      allRows(opened, params.sql, call),
    );
    const onProgress = (share) => call.progress(90 + share * 10, 'writing');
    const file = await save(table, params, { signal: call.signal, onProgress });
    return { file, rows: table.rows.length };
  })
  .method('clean', async (params, { signal, progress }) => {
    const steps = new Set(params.steps ?? cleaningSteps);
    const onRead = (share) => progress(share * 50, 'reading');
    const tables = await readTables(params.files, { signal, onProgress: onRead });
    const table = params.table ? tables.find(({ name }) => name === params.table) : tables[0];
    if (table === undefined) {
      const names = tables.map(({ name }) => name).join(', ');
      throw badParams(`There is no table ${params.table ?? ''}. There is: ${names}.`);
    }
    const onClean = (share) => progress(50 + share * 30, 'cleaning');
    const cleaned = await cleanTable(table, steps, { signal, onProgress: onClean });
    const { columns, rows, changes } = cleaned;
    const result = { table: table.name, rowsBefore: table.rows.length, rows: rows.length, changes };
    if (params.output === undefined) return { ...result, columns, preview: rows.slice(0, 20) };
    const onWrite = (share) => progress(80 + share * 20, 'writing');
    const name = params.name ?? `${table.name}-clean`;
    const file = await save(cleaned, { ...params, name }, { signal, onProgress: onWrite });
    return { ...result, columns, preview: rows.slice(0, 20), file };
  })
  .method('tableNames', ({ files }, call) =>
    withDatabase(files, call, ({ tables }) =>
      tables.map(({ name, file, rows }) => ({
        value: name,
        label: name,
        about: `${file}, ${shown(rows)}`,
      })),
    ),
  )
  .method('columnNames', ({ files, table }, call) =>
    withDatabase(files, call, ({ tables }) => {
      const found = table ? tables.find(({ name }) => name === table) : tables[0];
      const columns = found?.columns ?? [];
      return columns.map(({ name, type }) => ({ value: name, label: name, about: type }));
    }),
  )
  .method('formats', () => Object.keys(writers).map(option))
  .method('totals', () => [...chartTotals, 'none'].map(option))
  .run();
