/** The thread behind `PageThread`: one page at a time, and it may be ended at any moment. */
import { parentPort } from 'node:worker_threads';
import { decodeText } from './decode-text.ts';
import type { PageJob, PageNews } from './page-thread.ts';
import { plainPage } from './plain-page.ts';
import { readablePage } from './readable-page.ts';

/** Beyond them a tree takes longer than anybody waits. */
const maxTags = 40_000;
const maxDepth = 300;

const tell = (news: PageNews): void => parentPort?.postMessage(news);
parentPort?.on('message', read);
tell('ready');

function read({ bytes, contentType, url, maxCharacters }: PageJob): void {
  const html = decodeText(bytes, contentType);
  const { title, text, tags, depth } = plainPage(html);
  // One more than is asked for tells that there is more.
  const cut = (whole: string): string => whole.slice(0, maxCharacters + 1);
  const plain = { text: cut(text), ...(title !== undefined && { title }) };
  tell({ page: plain, last: false });
  if (tags > maxTags || depth > maxDepth) {
    tell({ page: plain, last: true });
    return;
  }
  const page = readablePage(html, url);
  tell({
    page: page.text === '' ? plain : { ...plain, ...page, text: cut(page.text) },
    last: true,
  });
}
