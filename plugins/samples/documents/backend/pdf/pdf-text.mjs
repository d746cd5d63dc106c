import { getDocumentProxy } from 'unpdf';
import { limits, pause, refuse, shown } from '../limits.mjs';

/**
 * Returns the text of each requested page.
 * @param {Buffer} bytes
 * @param {{ name: string, signal: AbortSignal, onProgress: (share: number) => void, pagesOf?:
 * (count: number) => number[] }} reading `pagesOf` chooses pages, counted from 0
 * @returns {Promise<{ count: number, pages: { page: number, text: string }[] }>} pages counted from
 * 1
 */
export async function pdfText(bytes, { name, signal, onProgress, pagesOf }) {
  const document = await open(bytes, name);
  try {
    const count = document.numPages;
    if (count > limits.pages)
      throw refuse('too_many_pages', `${name} has more than ${shown(limits.pages)} pages.`, {
        file: name,
        limit: limits.pages,
      });
    const wanted = pagesOf?.(count) ?? Array.from({ length: count }, (_, index) => index);
    const pages = [];
    for (const [index, number] of wanted.entries()) {
      const page = await document.getPage(number + 1);
      const { items } = await page.getTextContent();
      const text = items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
      pages.push({ page: number + 1, text: text.trim() });
      page.cleanup();
      onProgress((index + 1) / wanted.length);
      await pause(signal);
    }
    return { count, pages };
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes, name) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      isEvalSupported: false,
      stopAtErrors: false,
      verbosity: 0,
    });
  } catch (error) {
    if (error?.name === 'PasswordException') throw isProtected(name);
    throw refuse('broken', `${name} is damaged, or is no PDF file.`, { file: name });
  }
}

export const isProtected = (name) =>
  refuse('protected', `${name} has a password. Save it without one first.`, { file: name });
