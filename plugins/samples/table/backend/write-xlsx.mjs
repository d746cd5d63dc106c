import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { pause, refuse, shown } from './limits.mjs';
import { isDay, serialOf } from './sheet-dates.mjs';

const ROWS_AT_ONCE = 2_000;
const MAX_CELL = 32_767;

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Cell styles of `styles.xml`. */
const BOLD = 1;
const DAY = 2;

const parts = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

/** Writes a workbook with one sheet, whose first row is frozen. */
export async function writeXlsx(path, { columns, rows }, { signal, onProgress }) {
  const file = createWriteStream(path);
  await once(file, 'open');
  const zip = new Zip((error, bytes) => (error ? file.destroy(error) : file.write(bytes)));
  const add = (name) => {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    return entry;
  };
  try {
    for (const [name, text] of Object.entries(parts)) add(name).push(strToU8(xml + text), true);
    const sheet = add('xl/worksheets/sheet1.xml');
    const frozen = `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
    const letters = columns.map((_, at) => lettersOf(at));
    const header = columns
      .map((name, at) => cell(name, { at: `${letters[at]}1`, style: BOLD }))
      .join('');
    sheet.push(
      strToU8(`${xml}<worksheet xmlns="${main}">${frozen}<sheetData><row r="1">${header}</row>`),
    );
    const days = columns.map((_, at) => isDayColumn(rows, at));
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const part = rows.slice(at, at + ROWS_AT_ONCE);
      const text = part
        .map((row, index) => rowXml(row, { number: at + index + 2, letters, days }))
        .join('');
      sheet.push(strToU8(text));
      if (file.writableNeedDrain) await once(file, 'drain');
      onProgress(at / rows.length);
      await pause(signal);
    }
    sheet.push(strToU8('</sheetData></worksheet>'), true);
    zip.end();
  } finally {
    file.end();
    await once(file, 'close');
  }
}

function isDayColumn(rows, at) {
  const values = rows.map((row) => row[at]).filter((value) => value !== null && value !== '');
  return values.length > 0 && values.every(isDay);
}

function rowXml(row, { number, letters, days }) {
  const cells = row.map((value, column) => {
    const at = `${letters[column]}${number}`;
    return days[column] && value
      ? cell(serialOf(value), { at, style: DAY })
      : cell(value, { at, style: 0 });
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** Returns the letters of a column: `A` for 0, `AA` for 26. */
const lettersOf = (column) =>
  (column >= 26 ? lettersOf(Math.floor(column / 26) - 1) : '') +
  String.fromCharCode(65 + (column % 26));

function cell(value, { at, style }) {
  if (value === null || value === '') return '';
  const open = `<c r="${at}" s="${style}"`;
  if (typeof value === 'number') return `${open}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `${open} t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = String(value);
  if (text.length > MAX_CELL)
    throw refuse(
      'cell_too_long',
      `Excel takes at most ${shown(MAX_CELL)} characters in a cell. Save as CSV.`,
      { limit: MAX_CELL },
    );
  return `${open} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text) {
  return (
    text
      .replace(/_x[0-9A-Fa-f]{4}_/g, (found) => `_x005F${found}`)
      // eslint-disable-next-line no-control-regex
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]/g, (found) => hex(found))
      .replace(/[&<>]/g, (found) => names[found])
      .toWellFormed()
  );
}

const hex = (character) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
