/** Parses CSV text (RFC 4180) into rows of cells. Skips empty lines. */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*|))(,|\r?\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new SyntaxError(`A quote is missing in line ${lineAt(text, at)}.`);
    const [, quoted, plain, end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',' && cell.lastIndex < text.length) continue;
    if (end === ',') row.push('');
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

const lineAt = (text, at) => text.slice(0, at).split('\n').length;
