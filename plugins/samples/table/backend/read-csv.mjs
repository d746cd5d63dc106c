import Papa from 'papaparse';
import { pause, refuse } from './limits.mjs';

const CHUNK_ROWS = 5_000;

/**
 * @param {Buffer} bytes of a text; its separator is detected
 * @param {{ name: string, budget: import('./limits.mjs').Budget, signal: AbortSignal, onProgress:
 * (share: number) => void }} reading
 * @returns {Promise<import('./tables.mjs').Grid[]>}
 */
export async function readCsv(bytes, { name, budget, signal, onProgress }) {
  const text = decode(bytes);
  if (text.includes('\0')) throw refuse('not_text', `${name} is no text file.`, { file: name });
  const rows = [];
  let start = 0;
  const { delimiter, linebreak } = Papa.parse(text.slice(0, 65_536), {
    preview: 20,
    skipEmptyLines: true,
  }).meta;
  while (start < text.length) {
    const parsed = Papa.parse(text.slice(start), {
      delimiter,
      newline: linebreak,
      preview: CHUNK_ROWS,
      // The fast mode splits the whole remaining text for each chunk.
      fastMode: false,
    });
    // If the chunk was cut off, `cursor` is the end of its last complete row.
    const length = parsed.meta.truncated ? parsed.meta.cursor : text.length - start;
    for (const row of parsed.data) {
      budget.addRow(name, row.length);
      rows.push(row);
    }
    if (length <= 0) break;
    start += length;
    onProgress(start / text.length);
    await pause(signal);
  }
  // A line break at the end does not start another row.
  if (rows.at(-1)?.length === 1 && rows.at(-1)[0] === '') rows.pop();
  return [{ sheet: null, rows }];
}

/** @param {Buffer} bytes */
function decode(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(isChinese(bytes) ? 'gb18030' : 'windows-1252').decode(bytes);
  }
}

/**
 * In GB 18030 Chinese characters are pairs of bytes; accented letters in windows-1252 are single
 * bytes.
 */
function isChinese(bytes) {
  let pairs = 0;
  let single = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] < 0x80) continue;
    if (bytes[at] >= 0x81 && bytes[at + 1] >= 0x80) {
      pairs += 1;
      at += 1;
    } else single += 1;
  }
  return pairs > single * 10;
}
