import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const launchLimitMs = 90_000;

/**
 * The first one lacks the window parts of the second, and opens pages in two thirds of the time.
 */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const program = process.env['CHROMIUM_PATH'] ?? programs.find((path) => existsSync(path));

/** Launches the browser for page tests; the caller closes it. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(program !== undefined && { executablePath: program }),
    args: ['--disable-background-networking', '--no-first-run', ...more],
    // Without a locale it cannot read file names with letters beyond ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    timeout: launchLimitMs,
  });
}

/**
 * Returns true for the message of a browser that does not support a part of the plugin pages'
 * policy.
 */
export const isUnknownDirective = (text: string): boolean =>
  text.startsWith("Unrecognized Content-Security-Policy directive 'webrtc'");
