import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { pause } from './limits.mjs';

const ROWS_AT_ONCE = 5_000;

/** Writes CSV as in RFC 4180: commas, CRLF, UTF-8. */
export async function writeCsv(path, { columns, rows }, { signal, onProgress }) {
  const file = createWriteStream(path);
  await once(file, 'open');
  try {
    for (let at = -1; at < rows.length; at += at === -1 ? 1 : ROWS_AT_ONCE) {
      const part = at === -1 ? [columns] : rows.slice(at, at + ROWS_AT_ONCE);
      const text = part.map((row) => `${row.map(field).join(',')}\r\n`).join('');
      if (!file.write(text)) await once(file, 'drain');
      onProgress(Math.max(0, at) / rows.length);
      await pause(signal);
    }
  } finally {
    file.end();
    await once(file, 'close');
  }
}

function field(value) {
  const text = value === null ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
