import { getDocumentProxy } from 'unpdf';
import type { DocumentJob } from './document-job.ts';

/** Returns the text of a PDF, page by page. @throws PasswordException; any other error if it is damaged */
export async function textOfPdf({
  bytes,
  softLimitMs,
  maxCharacters,
}: DocumentJob): Promise<string> {
  const startedMs = performance.now();
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    // Warnings would be printed to the output of the host.
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
    maxImageSize: 0,
  });
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const isOver = performance.now() - startedMs > softLimitMs || length > maxCharacters;
    if (isOver && number > 1) {
      pages.push(`[Pages ${number} to ${document.numPages} were not read: the file is too long.]`);
      break;
    }
    const text = await textOfPage(document, number);
    length += text.length;
    if (text !== '') pages.push(text);
  }
  return pages.join('\n\n');
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function textOfPage(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
  page.cleanup();
  return text
    .join('')
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .trim();
}
