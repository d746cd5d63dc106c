import { DocxPackage } from './docx/docx-package.mjs';
import { docxHeadings, docxSections } from './docx/docx-text.mjs';
import { bytesOf } from './granted-files.mjs';
import { pageRanges } from './page-ranges.mjs';
import { bookmarks } from './pdf/destinations.mjs';
import { openPdf } from './pdf/open-pdf.mjs';
import { pdfText } from './pdf/pdf-text.mjs';

/**
 * @typedef {object} Passage
 * @property {number | null} page number in a PDF file, from 1
 * @property {string | null} heading of a DOCX file
 * @property {string} text
 */

/**
 * Returns the text of a document by page or by heading.
 * @param {import('./granted-files.mjs').GrantedFile} file
 * @param {{ signal: AbortSignal, onProgress: (share: number) => void, pages?: string }} reading
 * @returns {Promise<{ pageCount: number | null, passages: Passage[] }>}
 */
export async function passagesOf(file, { signal, onProgress, pages }) {
  const bytes = await bytesOf(file);
  if (file.kind === 'docx') {
    const sections = docxSections(DocxPackage.open(bytes, file.name));
    return { pageCount: null, passages: sections.map((one) => ({ page: null, ...one })) };
  }
  const pagesWanted = pages ? (count) => [...new Set(pageRanges(pages, count).flat())] : undefined;
  const reading = { name: file.name, signal, onProgress, pagesOf: pagesWanted };
  const found = await pdfText(bytes, reading);
  return {
    pageCount: found.count,
    passages: found.pages.map((one) => ({ ...one, heading: null })),
  };
}

/** Returns the headings of a DOCX file, or the bookmarks of a PDF file. */
export async function outlineOf(file) {
  const bytes = await bytesOf(file);
  if (file.kind === 'docx') {
    const headings = docxHeadings(DocxPackage.open(bytes, file.name));
    return {
      kind: file.kind,
      pageCount: null,
      headings: headings.map(({ title, level }) => ({ title, level, page: null })),
    };
  }
  const document = await openPdf(bytes, file.name);
  const headings = bookmarks(document).map(({ title, level, page }) => ({
    title,
    level,
    page: page + 1,
  }));
  return { kind: file.kind, pageCount: document.getPageCount(), headings };
}
