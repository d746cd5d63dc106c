import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const launchLimitMs = 90_000;

/** The first is the second without what only a window has: a page costs a third less there. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const program = process.env['CHROMIUM_PATH'] ?? programs.find((path) => existsSync(path));

/** The browser that tests of pages look with; whoever starts it closes it. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(program !== undefined && { executablePath: program }),
    args: ['--disable-background-networking', '--no-first-run', ...more],
    // Without a locale it cannot read names of files with letters beyond ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    timeout: launchLimitMs,
  });
}

/** Said for each plugin page by a browser that does not know all of its policy. */
export const isUnknownDirective = (text: string): boolean =>
  text.startsWith("Unrecognized Content-Security-Policy directive 'webrtc'");
