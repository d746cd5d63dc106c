import { readFile, stat } from 'node:fs/promises';
import { badParams, createWorker, failed } from './plugin-kit/worker.mjs';
import { parseCsv } from './csv.mjs';

const maxBytes = 20_000_000;
const maxPoints = 40;

async function readTable(file) {
  if (typeof file !== 'string') throw badParams('Choose a CSV file.');
  if ((await stat(file)).size > maxBytes)
    throw failed('The file is larger than 20 MB. Choose a smaller one.', 'too_large');
  try {
    const [names = [], ...rows] = parseCsv((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
    return { names, rows };
  } catch (error) {
    throw failed(`The file is not CSV. ${error.message}`, 'not_csv');
  }
}

const isNumber = (text = '') => text.trim() !== '' && Number.isFinite(Number(text));

/** Returns the index of the named column, or else of the first that `fits`. */
function column({ names, rows }, name, fits) {
  const at =
    name === undefined
      ? names.findIndex((_, index) => rows.some((row) => fits(row[index])))
      : names.indexOf(name);
  if (at >= 0) return at;
  throw badParams(
    name === undefined ? 'The file has no column with numbers.' : `There is no column "${name}".`,
  );
}

createWorker()
  .method('columns', async ({ file }) => {
    const { names, rows } = await readTable(file);
    return names.map((name, at) => ({ name, hasNumbers: rows.some((row) => isNumber(row[at])) }));
  })
  .method('series', async ({ file, label, value }) => {
    const table = await readTable(file);
    const labels = column(table, label, () => true);
    const values = column(table, value, isNumber);
    const sums = new Map();
    for (const row of table.rows) {
      if (!isNumber(row[values])) continue;
      const key = row[labels] ?? '';
      sums.set(key, (sums.get(key) ?? 0) + Number(row[values]));
    }
    const points = [...sums].map(([name, sum]) => ({ label: name, value: sum }));
    points.sort((a, b) => b.value - a.value);
    return {
      label: table.names[labels],
      value: table.names[values],
      points: points.slice(0, maxPoints),
    };
  })
  .run();
