import { unzipSync, strFromU8 } from 'fflate';
import { limits, refuse } from './limits.mjs';
import { dateOf, dateFormats } from './sheet-dates.mjs';
import { attribute, readXml } from './read-xml.mjs';

const needed =
  /^xl\/(?:workbook|sharedStrings|styles|_rels\/workbook|worksheets\/[^/]+)\.xml(?:\.rels)?$/i;

/**
 * @param {Buffer} bytes of a workbook
 * @param {{ name: string, budget: import('./limits.mjs').Budget, signal: AbortSignal, onProgress:
 * (share: number) => void }} reading
 * @returns {Promise<import('./tables.mjs').Grid[]>} one per sheet
 */
export async function readXlsx(bytes, reading) {
  const { name, signal, onProgress } = reading;
  const parts = unpack(bytes, name);
  try {
    const book = await readWorkbook(parts, signal);
    const strings = await readStrings(parts, signal);
    const isDate = dateFormats(await readStyles(parts, signal));
    const grids = [];
    for (const [index, { sheet, part }] of book.sheets.entries()) {
      const cellText = { strings, isDate, date1904: book.date1904 };
      const text = textOf(parts, part);
      const onShare = (share) => onProgress((index + share) / book.sheets.length);
      const rows = await readSheet(text, cellText, { ...reading, onProgress: onShare });
      grids.push({ sheet, rows });
    }
    return grids;
  } catch (error) {
    if (error.name === 'XmlError') throw broken(name);
    throw error;
  }
}

const broken = (name) =>
  refuse('broken_workbook', `${name} is damaged, or is no Excel workbook.`, { file: name });

function unpack(bytes, name) {
  // A workbook with a password is an OLE file.
  if (bytes.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex')))
    throw refuse('protected', `${name} has a password. Save it without one first.`, { file: name });
  let total = 0;
  let parts;
  try {
    parts = unzipSync(bytes, {
      filter(entry) {
        if (!needed.test(entry.name)) return false;
        total += entry.originalSize;
        return total <= limits.unpackedBytes;
      },
    });
  } catch {
    throw broken(name);
  }
  if (total > limits.unpackedBytes)
    throw refuse('file_too_large', `${name} holds more than 384 MiB.`, { file: name, limit: 384 });
  if (parts['xl/workbook.xml'] === undefined) throw broken(name);
  return parts;
}

const textOf = (parts, path) => (parts[path] === undefined ? '' : strFromU8(parts[path]));

async function readWorkbook(parts, signal) {
  const targets = new Map();
  await readXml(textOf(parts, 'xl/_rels/workbook.xml.rels'), signal, {
    open(tag, attributes) {
      if (tag !== 'Relationship') return;
      const target = attribute(attributes, 'Target') ?? '';
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      targets.set(attribute(attributes, 'Id'), path);
    },
  });
  const sheets = [];
  let date1904 = false;
  await readXml(textOf(parts, 'xl/workbook.xml'), signal, {
    open(tag, attributes) {
      if (tag === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (tag !== 'sheet') return;
      const part = targets.get(attribute(attributes, 'id'));
      // Chart sheets have no cells.
      if (part !== undefined && parts[part] !== undefined)
        sheets.push({ sheet: attributes['name'] ?? '', part });
    },
  });
  return { sheets, date1904 };
}

async function readStrings(parts, signal) {
  const strings = [];
  let text = '';
  let isText = false;
  let isReading = 0;
  await readXml(textOf(parts, 'xl/sharedStrings.xml'), signal, {
    open(tag) {
      if (tag === 'si') text = '';
      // Phonetic hints are not part of the text.
      if (tag === 'rPh') isReading += 1;
      isText = tag === 't' && isReading === 0;
    },
    text(part) {
      if (isText) text += part;
    },
    close(tag) {
      isText = false;
      if (tag === 'rPh') isReading -= 1;
      if (tag === 'si') strings.push(unescaped(text));
    },
  });
  return strings;
}

/** Decodes characters that XML cannot represent. */
const unescaped = (text) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

async function readStyles(parts, signal) {
  const codes = new Map();
  const styles = [];
  let isCells = false;
  await readXml(textOf(parts, 'xl/styles.xml'), signal, {
    open(tag, attributes) {
      if (tag === 'numFmt')
        codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      if (tag === 'cellXfs') isCells = true;
      if (tag === 'xf' && isCells) styles.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(tag) {
      if (tag === 'cellXfs') isCells = false;
    },
  });
  return { codes, styles };
}

async function readSheet(
  text,
  { strings, isDate, date1904 },
  { name, budget, signal, onProgress },
) {
  const rows = [];
  let row = null;
  let cell = null;
  let isValue = false;
  const finish = () => {
    const value = valueOf(cell, strings);
    if (value === null) return;
    const dated = typeof value === 'number' && isDate(cell.style);
    row[cell.column] = dated ? dateOf(value, date1904) : value;
  };
  const handlers = {
    open(tag, attributes) {
      if (tag === 'row') {
        const at = Number(attributes['r'] ?? rows.length + 1) - 1;
        if (!(at >= rows.length)) return;
        while (rows.length < at) addRow([]);
        row = [];
      } else if (tag === 'c' && row !== null) {
        const column = columnOf(attributes['r']) ?? row.length;
        if (column >= limits.columns) budget.addRow(name, column + 1);
        cell = { column, type: attributes['t'], style: Number(attributes['s'] ?? 0), text: null };
      } else isValue = cell !== null && (tag === 'v' || tag === 't');
    },
    text(part) {
      if (isValue) cell.text = (cell.text ?? '') + part;
    },
    close(tag) {
      isValue = false;
      if (tag === 'c' && cell !== null) {
        finish();
        cell = null;
      } else if (tag === 'row' && row !== null) {
        addRow(Array.from(row, (value) => value ?? null));
        row = null;
      }
    },
  };
  function addRow(values) {
    budget.addRow(name, values.length);
    rows.push(values);
  }
  await readXml(text, signal, handlers, onProgress);
  return rows;
}

function valueOf({ type, text }, strings) {
  if (text === null) return null;
  if (type === 's') return strings[Number(text)] ?? null;
  if (type === 'b') return text === '1';
  if (type === 'inlineStr' || type === 'str') return unescaped(text);
  if (type === 'e') return null;
  if (type === 'd') return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** Returns the column index of a reference, 1 for `B7`; null if the cell has no reference. */
function columnOf(reference) {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
