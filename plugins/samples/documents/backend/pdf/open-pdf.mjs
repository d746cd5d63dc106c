import { EncryptedPDFError, PDFDocument } from '@cantoo/pdf-lib';
import { limits, refuse, shown } from '../limits.mjs';
import { isProtected } from './pdf-text.mjs';

/** Opens a PDF file to copy its pages. */
export async function openPdf(bytes, name) {
  const document = await load(bytes, name);
  if (document.getPageCount() > limits.pages)
    throw refuse('too_many_pages', `${name} has more than ${shown(limits.pages)} pages.`, {
      file: name,
      limit: limits.pages,
    });
  return document;
}

async function load(bytes, name) {
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    // An invalid PDF file fails only here.
    document.getPageCount();
    return document;
  } catch (error) {
    if (error instanceof EncryptedPDFError) throw isProtected(name);
    throw refuse('broken', `${name} is damaged, or is no PDF file.`, { file: name });
  }
}
