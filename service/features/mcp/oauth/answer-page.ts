import type { IncomingMessage, ServerResponse } from 'node:http';
import { languageOf } from '../../../messages/languages.ts';
import { readLanguage, textIn } from '../../../messages/localize.ts';
import { msg } from '../../../messages/index.ts';

const pageTexts = {
  done: [msg('signIn.done'), msg('signIn.doneText')],
  declined: [msg('signIn.notDone'), msg('signIn.declinedText')],
  failed: [msg('signIn.notDone'), msg('signIn.failedText')],
  moved: [msg('signIn.notDone'), msg('signIn.movedText')],
  stale: [msg('signIn.stale'), msg('signIn.staleText')],
  used: [msg('signIn.used'), msg('signIn.close')],
  nothing: [msg('signIn.nothing'), msg('signIn.close')],
} as const;

/** Name of a page for the browser after a sign-in. */
export type Page = keyof typeof pageTexts;

/**
 * Returns a page with one message in the language of the browser. It loads nothing and contains
 * nothing of the request.
 */
export async function answerPage(
  { headers }: IncomingMessage,
  res: ServerResponse,
  [status, page]: [status: number, page: Page],
): Promise<void> {
  const language = languageOf(...tagsIn(headers['accept-language'] ?? ''));
  await readLanguage(language);
  const [title, text] = pageTexts[page].map((one) => textIn(language, one));
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  res.end(
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`,
  );
}

const maxTags = 10;

/** Language tags of the header, in the order in which browsers write them. */
const tagsIn = (header: string): string[] =>
  header
    .split(',', maxTags)
    .map((part) => part.split(';', 1)[0]?.trim() ?? '')
    .filter((tag) => tag !== '');
