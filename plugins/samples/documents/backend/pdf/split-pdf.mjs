import { PDFDocument } from '@cantoo/pdf-lib';
import { badParams } from '../plugin-kit/worker.mjs';
import { pause, refuse } from '../limits.mjs';
import { everyPages, pageRanges } from '../page-ranges.mjs';
import { copyPages } from './copy-pages.mjs';
import { bookmarks } from './destinations.mjs';

/**
 * @typedef {object} Part
 * @property {string} title
 * @property {number[]} pages from 0
 */

/**
 * Returns the parts into which a document is split.
 * @param {import('@cantoo/pdf-lib').PDFDocument} source
 * @param {Record<string, unknown>} params
 * @returns {Part[]}
 */
export function pdfParts(source, { by = 'pages', pages, every, level = 1 }, name) {
  const count = source.getPageCount();
  if (by === 'headings') return partsByBookmarks(source, level, name);
  if (by !== 'pages') throw badParams('A document is split by pages or by headings.');
  const ranges = pages ? pageRanges(String(pages), count) : everyPages(every ?? 1, count);
  return ranges.map((range) => ({ title: titleOf(range), pages: range }));
}

const titleOf = (range) =>
  range.length === 1 ? `page ${range[0] + 1}` : `pages ${range[0] + 1}-${range.at(-1) + 1}`;

function partsByBookmarks(source, level, name) {
  const found = bookmarks(source).filter((one) => one.level <= level);
  if (found.length === 0)
    throw refuse('no_headings', `${name} has no bookmarks. Split it by pages.`, { file: name });
  const starts = [...new Map(found.map((one) => [one.page, one.title]).reverse())];
  starts.sort(([a], [b]) => a - b);
  if (starts[0][0] > 0) starts.unshift([0, 'start']);
  return starts.map(([first, title], index) => {
    const end = starts[index + 1]?.[0] ?? source.getPageCount();
    return { title, pages: Array.from({ length: end - first }, (_, at) => first + at) };
  });
}

/**
 * @param {import('@cantoo/pdf-lib').PDFDocument} source
 * @param {Part[]} parts
 * @param {{ signal: AbortSignal }} reporting
 */
export async function* splitPdf(source, parts, { signal }) {
  for (const { title, pages } of parts) {
    const document = await PDFDocument.create({ updateMetadata: false });
    copyPages(document, source, pages);
    yield { title, bytes: await document.save() };
    await pause(signal);
  }
}
