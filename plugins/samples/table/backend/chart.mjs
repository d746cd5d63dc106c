import { badParams } from './plugin-kit/worker.mjs';
import { limits, refuse, shown } from './limits.mjs';
import { quoted, rowsOf } from './database.mjs';

const totals = { sum: 'SUM', average: 'AVG', count: 'COUNT', minimum: 'MIN', maximum: 'MAX' };

export const chartTotals = Object.keys(totals);

/**
 * Returns the data of a chart: a value for each label, in one series or one per value column.
 * @param {{ database: any, tables: any[] }} opened
 * @param {Record<string, unknown>} params `sql`, whose first column has the labels and whose others
 * have the values; or `table`, `x`, `y` and `total`
 */
export async function chartOf(opened, params, { signal }) {
  const { kind = 'bar' } = params;
  const sql = params.sql ? params.sql : sqlOf(opened, params);
  const found = await rowsOf(opened, sql, { limit: limits.chartPoints, signal });
  if (found.truncated)
    throw refuse(
      'too_many_points',
      `A chart shows at most ${shown(limits.chartPoints)} points. Group the rows, or choose another column.`,
      { limit: limits.chartPoints },
    );
  const [label, ...names] = found.columns;
  if (names.length === 0)
    throw refuse('no_values', 'A chart needs a column with labels and one with numbers.');
  const series = names.map((name, index) => ({
    name,
    values: found.rows.map((row) => numberOf(row[index + 1], name)),
  }));
  return { kind, label, labels: found.rows.map(([first]) => String(first ?? '')), series };
}

function numberOf(value, column) {
  if (value === null || typeof value === 'number') return value;
  throw refuse('not_numbers', `The column ${column} has values that are no numbers.`, { column });
}

function sqlOf({ tables }, { table, x, y, total = 'sum' }) {
  const found = table ? tables.find(({ name }) => name === table) : tables[0];
  if (found === undefined)
    throw badParams(
      `There is no table ${table}. There is: ${tables.map(({ name }) => name).join(', ')}.`,
    );
  const column = (name) => {
    if (found.columns.some((one) => one.name === name)) return quoted(name);
    const names = found.columns.map((one) => one.name).join(', ');
    throw badParams(`${found.name} has no column ${name ?? ''}. There is: ${names}.`);
  };
  const label = column(x);
  if (total === 'none') return `SELECT ${label}, ${column(y)} FROM ${quoted(found.name)}`;
  const value = total === 'count' && !y ? '*' : column(y);
  const name = quoted(y && total !== 'count' ? `${y} (${total})` : total);
  // In the order in which the labels first occur.
  return `SELECT ${label}, ${totals[total]}(${value}) AS ${name} FROM ${quoted(found.name)} GROUP BY ${label} ORDER BY MIN(rowid)`;
}
