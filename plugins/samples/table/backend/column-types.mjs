/**
 * Notations of numbers, dates and booleans. A column is converted if all of its values use one
 * notation.
 */
const written = [
  // 1234.5 and 1,234.5, but no codes with a leading zero.
  {
    pattern: /^[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/,
    value: (text) => Number(text.replaceAll(',', '')),
  },
  // 1234,5 and 1.234,5
  {
    pattern: /^[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/,
    value: (text) => Number(text.replaceAll('.', '').replace(',', '.')),
  },
  { pattern: /^[+-]?\d+(?:\.\d+)?\s?%$/, value: (text) => Number.parseFloat(text) / 100 },
  { pattern: /^(?:true|false)$/i, value: (text) => /^true$/i.test(text) },
  day(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, [0, 1, 2]),
  day(/^(\d{4})年(\d{1,2})月(\d{1,2})日$/, [0, 1, 2]),
  day(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, [2, 1, 0]),
];
/** `3/4/2026` may be in March or April; only other values of the column can tell. */
const dayFirst = day(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, [2, 1, 0]);
const monthFirst = day(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, [2, 0, 1]);

function day(pattern, [year, month, date]) {
  return {
    pattern,
    value(text) {
      const parts = pattern.exec(text)?.slice(1) ?? [];
      const [y = '', m = '', d = ''] = [parts[year], parts[month], parts[date]];
      const iso = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
      const time = Date.parse(`${iso}T00:00:00Z`);
      // The 31st of February does not exist.
      const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
      return isReal ? iso : undefined;
    },
  };
}

/**
 * Converts the texts of one column in place.
 * @param {import('./tables.mjs').Value[][]} rows
 * @param {number} at
 * @returns {number} the number of changed values
 */
export function convertColumn(rows, at) {
  const texts = rows.map((row) => row[at]).filter((value) => value !== null && value !== '');
  if (!texts.some((value) => typeof value === 'string')) return 0;
  const all = new Set(texts.map(String));
  const fits = ({ pattern, value }) =>
    [...all].every((text) => pattern.test(text) && value(text) !== undefined);
  const ways = written.filter(fits);
  const slashes = [dayFirst, monthFirst].filter(fits);
  const way = ways[0] ?? (slashes.length === 1 ? slashes[0] : undefined);
  // `1,234` alone may be 1234 or 1.234.
  if (way === undefined || (ways.length > 1 && differ(all, ways))) return 0;
  let changed = 0;
  for (const row of rows) {
    if (typeof row[at] !== 'string' || row[at] === '') continue;
    const value = way.value(row[at]);
    if (value !== row[at]) changed += 1;
    row[at] = value;
  }
  return changed;
}

const differ = (all, [first, ...others]) =>
  [...all].some((text) => others.some((way) => way.value(text) !== first.value(text)));
