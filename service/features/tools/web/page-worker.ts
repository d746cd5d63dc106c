/** The jobs of `PageThread`: each may be terminated at any moment. */
import { decodeText } from './decode-text.ts';
import { type Page, plainPage } from './plain-page.ts';
import { readablePage } from './readable-page.ts';

/** With more tags, building the tree takes too long. */
const maxTags = 40_000;
const maxDepth = 300;

/** A downloaded page that the worker thread converts to text. */
export interface PageJob {
  bytes: Uint8Array;
  contentType: string;
  /** Base address of relative links. */
  url: string;
  maxCharacters: number;
}

export function ready(_: null): void {}

export function plain(job: PageJob): { page: Page; isReadable: boolean } {
  const { title, text, tags, depth } = plainPage(decodeText(job.bytes, job.contentType));
  const page = { text: cut(text, job), ...(title !== undefined && { title }) };
  return { page, isReadable: tags <= maxTags && depth <= maxDepth };
}

/** Returns a page with empty text if it contains nothing readable. */
export function readable(job: PageJob): Page {
  const page = readablePage(decodeText(job.bytes, job.contentType), job.url);
  return { ...page, text: cut(page.text, job) };
}

/** One more character than requested shows that there is more. */
const cut = (whole: string, { maxCharacters }: PageJob): string =>
  whole.slice(0, maxCharacters + 1);
