import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { interleave, type Sample } from './harness/measure.ts';
import { openPage } from './harness/pages.ts';
import { compare, type Row } from './harness/table.ts';

const rounds = 12;
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/**
 * First paint of the shell with the head of its list, and of the area that a click on it opens,
 * each against a minimal page of React and Mantine.
 */
export async function firstPaint(
  browser: Browser,
  shell: string,
  directory: string,
): Promise<Row[]> {
  const outDir = join(directory, 'bare-page');
  const root = join(import.meta.dirname, 'bare', 'page');
  await build({ root, configFile: false, logLevel: 'error', build: { outDir } });
  const server = createServer((req, res) => {
    const path = req.url === '/' || req.url === undefined ? '/index.html' : req.url;
    void readFile(join(outDir, path)).then(
      (file) => res.writeHead(200, { 'Content-Type': types[extname(path)] ?? '' }).end(file),
      () => res.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bare = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const taken = await interleave(rounds, {
      ours: paintOf(browser, shell, ['nav.activity .activity-button', '.list-head h2']),
      bare: paintOf(browser, bare, ['nav button', 'aside h1']),
      clicked: paintOf(browser, shell, [clickedArea], '.activity-button[data-area=mcp]'),
    });
    const against = { unit: 'ms', against: 'bare' } as const;
    return [
      compare({
        ...against,
        name: 'first meaningful paint',
        target: { most: 1.2 },
        ours: taken.ours,
        other: taken.bare,
      }),
      // The other page has nothing to click; its first paint is compared with the result of the
      // click.
      {
        ...compare({
          ...against,
          name: 'first click works',
          target: { most: Infinity },
          ours: taken.clicked,
          other: taken.bare,
        }),
        target: '',
        verdict: '',
      },
    ];
  } finally {
    server.close();
  }
}

/** Search field in the list of the opened area; the first paint contains none. */
const clickedArea = 'aside[aria-label="MCP servers"] input';

/**
 * Time from the start of the navigation to the frame after one of each of these elements exists.
 * `click` is clicked as soon as it exists.
 */
function paintOf(browser: Browser, url: string, selectors: readonly string[], click = ''): Sample {
  return async () => {
    const page = await openPage(browser);
    try {
      await page.addInitScript(
        ([expected, first]) => {
          let clicked = first === '';
          const check = (): void => {
            const button = clicked ? null : document.querySelector<HTMLElement>(first);
            clicked ||= button !== null;
            button?.click();
            if (expected.some((selector) => !document.querySelector(selector)))
              requestAnimationFrame(check);
            else
              requestAnimationFrame(() =>
                Object.assign(globalThis, { paintedMs: performance.now() }),
              );
          };
          requestAnimationFrame(check);
        },
        [selectors, click] as const,
      );
      await page.goto(url);
      const painted = await page.waitForFunction(() => Reflect.get(globalThis, 'paintedMs'));
      return (await painted.jsonValue()) as number;
    } finally {
      await page.context().close();
    }
  };
}
