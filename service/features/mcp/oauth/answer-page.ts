import type { ServerResponse } from 'node:http';

const pageTexts = {
  done: ['You are signed in', 'This window may be closed. The host goes on by itself.'],
  declined: ['You are not signed in', 'The sign-in was declined. This window may be closed.'],
  failed: [
    'You are not signed in',
    'The sign-in did not work. This window may be closed; the host tells more, and you can begin again there.',
  ],
  moved: [
    'You are not signed in',
    'The server was changed or removed meanwhile. This window may be closed.',
  ],
  stale: [
    'This sign-in is not the current one',
    'This window may be closed. Begin again in the host.',
  ],
  used: ['This sign-in was used already', 'This window may be closed.'],
  nothing: ['There is nothing here', 'This window may be closed.'],
} as const;

/** Name of a page for the browser after a sign-in. */
export type Page = keyof typeof pageTexts;

/** Sends a static page with one message that loads nothing and contains nothing of the request. */
export function answerPage(res: ServerResponse, status: number, page: Page): void {
  const [title, text] = pageTexts[page];
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  res.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`,
  );
}
