import { type CDPSession, chromium, type Page } from 'playwright-core';
import { ChromiumEngine } from '../service/platform/browser/chromium/chromium-engine.ts';
import { findBrowser } from '../service/platform/browser/find-browser.ts';
import { createLog } from '../service/platform/log.ts';
import { createProcesses } from '../service/platform/processes.ts';
import { openBrowser } from '../service/testing/browser/open-browser.ts';
import { serveWeb } from '../service/testing/web-server.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';

const rounds = 40;
const warmUps = 4;
const name = 'screenshot of a page';
const target = { most: 1.3 };

const paragraph = (_: unknown, at: number): string =>
  `<p>Paragraph ${at} with <a href="/${at}">a link</a> and <b>some</b> words.</p>`;
const page = `<title>A page</title><h1>A page</h1>${Array.from({ length: 200 }, paragraph).join('')}`;

/**
 * `browser_screenshot`, which also returns elements and the accessibility tree, against
 * Playwright's own.
 */
export async function browser(directory: string): Promise<Row[]> {
  const program = await findBrowser(null);
  if (program === null) return [notMeasured(name, target, 'there is no browser here')];
  const server = await serveWeb((_, response) => {
    response.setHeader('content-type', 'text/html').end(page);
  });
  const processes = createProcesses();
  const log = createLog({ level: 'OFF', directory: null, stderr: false });
  const engine = new ChromiumEngine({ processes, log, named: program, directory });
  const bare = await chromium.launch({ executablePath: program });
  try {
    await engine.isAvailable();
    const ours = openBrowser({ engine, allow: [server.allow] });
    await ours.json('navigate', { url: server.base });
    const theirs = await bare.newPage({ viewport: { width: 1280, height: 800 } });
    await theirs.goto(server.base);
    const session = await theirs.context().newCDPSession(theirs);
    const samples = await interleave(
      rounds,
      {
        ours: () => milliseconds(() => ours.json('screenshot')),
        bare: () => milliseconds(() => theirs.screenshot()),
        observed: () => milliseconds(() => observePage(theirs, session)),
      },
      warmUps,
    );
    await ours.close();
    const { ours: took, bare: picture, observed } = samples;
    const sides = { unit: 'ms', ours: took, against: 'bare', target } as const;
    return [
      compare({ name, other: picture, ...sides }),
      compare({ name: `${name}, as text`, other: observed, ...sides }),
    ];
  } finally {
    await bare.close();
    await processes.close();
    await server.close();
  }
}

/** Takes the picture and the data that `browser_screenshot` returns with it, through Playwright. */
const observePage = (page: Page, session: CDPSession): Promise<unknown> =>
  Promise.all([page.screenshot(), page.content(), session.send('Accessibility.getFullAXTree')]);
