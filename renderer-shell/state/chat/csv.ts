/** Spreadsheets would evaluate such a cell as a formula. */
const formulaStart = /^[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d[\d.,\s]*%?$/;

/**
 * Returns cells as comma-separated values (RFC 4180). Cells that a spreadsheet would evaluate get a
 * leading apostrophe.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(text: string): string {
  const value = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
