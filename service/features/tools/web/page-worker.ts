/** The thread that reads one page; it may be ended at any moment. */
import { parentPort, workerData } from 'node:worker_threads';
import { decodeText } from './decode-text.ts';
import type { PageJob, PageNews } from './page-text.ts';
import { plainPage } from './plain-page.ts';

/** Beyond them a tree takes longer than anybody waits. */
const maxTags = 40_000;
const maxDepth = 300;

const { bytes, contentType, url, maxCharacters } = workerData as PageJob;
const tell = (news: PageNews): void => parentPort?.postMessage(news);
const html = decodeText(bytes, contentType);
const { title, text, tags, depth } = plainPage(html);
// One more than is asked for tells that there is more.
const cut = (whole: string): string => whole.slice(0, maxCharacters + 1);
tell({ page: { text: cut(text), ...(title !== undefined && { title }) }, last: false });
if (tags <= maxTags && depth <= maxDepth) {
  // Loaded by those who come so far.
  const { readablePage } = await import('./readable-page.ts');
  const page = readablePage(html, url);
  if (page.text !== '') tell({ page: { ...page, text: cut(page.text) }, last: false });
}
tell({ page: null, last: true });
